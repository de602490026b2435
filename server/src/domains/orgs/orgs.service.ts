import { notFound } from '@integrity/protocol'
import type { AppContext } from '../../kernel/parts.ts'
import type { AgeIdentity } from '../../platform/crypto/age-keys.ts'
import type { Reader } from '../../platform/db/types.ts'
import { findOrg, type OrgRow } from './orgs.store.ts'

export { findMemberAddress, listAdminAddresses } from './orgs.store.ts'

export const getOrg = async (reader: Reader, orgId: string): Promise<OrgRow> => {
  const org = await findOrg(reader, orgId)
  if (!org) throw notFound('organisation')
  return org
}

/** An organisation as candidates see it, for every page that says who asks. No endpoint keeps a brand yet, so it has none. */
export const brandOf = ({ name }: OrgRow) => ({ name, brand: {} })

/** The age recipients that an organisation's evidence is sealed to. */
export const orgRecipients = async (reader: Reader, orgId: string): Promise<string[]> => [
  (await getOrg(reader, orgId)).recipient,
]

const opened = new WeakMap<AppContext, Map<string, AgeIdentity>>()

/** The identity that opens an organisation's evidence. It never changes, so it is opened once for each process. */
export const orgIdentity = async (app: AppContext, orgId: string): Promise<AgeIdentity> => {
  const cache = opened.get(app) ?? new Map<string, AgeIdentity>()
  opened.set(app, cache)
  const known = cache.get(orgId)
  if (known) return known
  const org = await getOrg(app.db.reader, orgId)
  const identity = app.keyring.openOrgIdentity(org.wrappedIdentity, orgId)
  if (cache.size >= 1000) cache.clear()
  cache.set(orgId, identity)
  return identity
}
