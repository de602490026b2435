import type { Needs } from '../../../kernel/call.ts'
import { countSignedInByPassword, endPasswordSignIns } from '../auth/single-sign-on/sso-demand.service.ts'
import { findConnection } from './connections.store.ts'
import { domainOf } from './domain-names.model.ts'
import { listDomains } from './domains.store.ts'
import type { SsoCheck } from './sso.types.ts'

const appliesTo = async ({ reader }: Needs<'reader'>, orgId: string): Promise<(email: string) => boolean> => {
  const proved = (await listDomains(reader, orgId)).filter(({ verifiedAt }) => verifiedAt !== null)
  const domains = new Set(proved.map(({ domain }) => domain))
  return (email) => domains.has(domainOf(email))
}

/** The count stops at this many sign-ins. */
const mostCounted = 1000

/** A preview of the effects of requiring single sign-on. */
export const foretell = async (call: Needs<'reader'>, orgId: string): Promise<SsoCheck> => {
  const applies = await appliesTo(call, orgId)
  const { meant, others } = await countSignedInByPassword(call, { orgId, applies, most: mostCounted })
  const many = meant + others === mostCounted ? `${meant} members or more` : `members: ${meant}`
  return {
    name: 'password_sign_ins',
    ok: true,
    message:
      'requiring single sign-on signs out who is signed in by a password, but owners and ' +
      `members with an address of no verified domain, of whom ${others} go on with a password; ${many}`,
  }
}

/** Signs out who is signed in by a password, where single sign-on is required still. */
export const signOutPasswords = async (
  call: Parameters<typeof endPasswordSignIns>[0],
  orgId: string,
): Promise<void> => {
  if ((await findConnection(call.reader, orgId))?.required)
    await endPasswordSignIns(call, { orgId, applies: await appliesTo(call, orgId) })
}
