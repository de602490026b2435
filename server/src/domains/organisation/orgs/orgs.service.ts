import { notFound, ServiceError, slug } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { Cache } from '../../../platform/cache.ts'
import type { AgeIdentity } from '../../../platform/crypto/age-keys.ts'
import { secondFactorIsOn } from '../people/people.service.ts'
import {
  anyOrgExists,
  findOrg,
  findOrgIdBySlug,
  findOrgLocked,
  type OrgRow,
  updateSecondFactorRequired,
} from './orgs.store.ts'

declare module '../../../kernel/parts.ts' {
  interface Parts {
    /** Identities of organisations that were opened here, by organisation. */
    readonly identities: Cache<AgeIdentity>
  }
}

export const getOrg = async (call: Needs<'reader'>, orgId: string): Promise<OrgRow> => {
  const org = await findOrg(call.reader, orgId)
  if (!org) throw notFound('organisation')
  return org
}

/** The organisation, of which nobody else changes what belongs to it as a whole until the commit. */
export const lockOrg = async ({ tx }: Needs<'tx'>, orgId: string): Promise<OrgRow> => {
  const org = await findOrgLocked(tx, orgId)
  if (!org) throw notFound('organisation')
  return org
}

/** The organisation of a slug from a path, which may be any text. */
export const orgBySlug = async (call: Needs<'reader'>, given: string): Promise<OrgRow | undefined> => {
  const orgId = slug.safeParse(given).success ? await findOrgIdBySlug(call.reader, given) : undefined
  return orgId === undefined ? undefined : findOrg(call.reader, orgId)
}

/** Has it require a second factor of every member, or no longer. Whoever requires it has one: nobody shuts themselves out. */
export const requireSecondFactor = async (call: WriteCall<ActorOf<'user'>>, required: boolean): Promise<void> => {
  const { tx, scope, actor } = call
  if (required && !(await secondFactorIsOn({ reader: tx }, actor.id)))
    throw new ServiceError('conflict', 'add a second factor to your own account first', {
      extra: { reason: 'second_factor_needed' },
    })
  await updateSecondFactorRequired(tx, scope.orgId, required)
  await call.audit.append(call, { action: 'org.second_factor_set', target: scope.orgId, payload: { required } })
}

/** The identity that opens an organisation's evidence. It never changes, so it is opened once for each process. */
export const orgIdentity = async (
  call: Needs<'identities' | 'keyring' | 'reader'>,
  orgId: string,
): Promise<AgeIdentity> => {
  const cache = call.identities
  const known = cache.get(orgId)
  if (known) return known
  const org = await getOrg(call, orgId)
  const identity = call.keyring.openOrgIdentity(org.wrappedIdentity, orgId)
  cache.set(orgId, identity)
  return identity
}

/** Whether there is an organisation of this id, which may be anything. */
export const orgExists = async (call: Needs<'reader'>, orgId: string): Promise<boolean> =>
  (await findOrg(call.reader, orgId)) !== undefined

/** Operator's look at the whole server: is there any organisation yet? */
export const anyOrg = (call: Needs<'reader'>): Promise<boolean> => anyOrgExists(call.reader)
