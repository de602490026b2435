import { type EndpointSpec, notFound, refreshGraceSeconds, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../../kernel/call.ts'
import type { ActorOf } from '../../../../kernel/identity/actor.ts'
import { hashSecret } from '../../../../platform/crypto/secrets.ts'
import { permissionsHeld } from '../../../organisation/people/people.policy.ts'
import {
  membershipsAcrossOrgs,
  standingByEvidenceAcrossOrgs,
  standingBySessionAcrossOrgs,
  standingInOrg,
} from '../../../organisation/people/people.service.ts'
import type { Standing } from '../../../organisation/people/people.types.ts'
import { refuseWithoutSso } from '../single-sign-on/sso-demand.service.ts'
import { findPortalToken, type PortalToken } from './sign-ins.store.ts'

const onlyIn = ({ vouchedBy, agreedAt }: PortalToken): string | null => (agreedAt === null ? vouchedBy : null)

/** Whose access cookie this is. Found ones are kept under a name that no bearer credential has. */
export const findAccount = async (
  call: Needs<'clock' | 'credentials' | 'reader'>,
  token: string,
): Promise<ActorOf<'account'> | undefined> => {
  const hash = hashSecret(token)
  const name = `cookie ${hash}`
  const known = call.credentials.get(name)
  if (known?.actor.kind === 'account') return call.clock.now() < known.until ? known.actor : undefined
  const stamp = call.credentials.stamp()
  const found = await findPortalToken(call.reader, 'access', hash)
  if (!found || found.endedAt !== null || found.expiresAt <= call.clock.now()) return undefined
  const { userId: id, email, portalSessionId, vouchedBy } = found
  const actor = { kind: 'account', id, email, portalSessionId, vouchedBy, onlyIn: onlyIn(found) } as const
  call.credentials.set(name, { actor, until: found.expiresAt }, stamp)
  return actor
}

/** Whose refresh cookie this is; a spent one is told from an unknown one, because it ends the sign-in. */
export const findRefresh = async (
  call: Needs<'clock' | 'reader'>,
  token: string,
): Promise<ActorOf<'refresh'> | undefined> => {
  const tokenHash = hashSecret(token)
  const found = await findPortalToken(call.reader, 'refresh', tokenHash)
  if (!found || found.endedAt !== null || found.expiresAt <= call.clock.now()) return undefined
  const { userId: id, email, portalSessionId, usedAt } = found
  const spent = usedAt !== null && call.clock.now() - usedAt >= refreshGraceSeconds * 1000
  return { kind: 'refresh', id, email, portalSessionId, tokenHash, spent, onlyIn: onlyIn(found) }
}

type Params = Readonly<Record<string, string>>

/** An id that no row can have; Postgres would not even compare it. */
const isNoId = (value: string): boolean => value.length > 128 || /\p{Cc}/u.test(value)

const standingIn = async (
  call: Needs<'reader'>,
  userId: string,
  endpoint: EndpointSpec,
  params: Params,
): Promise<{ what: string; standing: Standing | undefined }> => {
  const { reader } = call
  const { sessionParam, objectParam } = endpoint
  const orgId = params['orgId']
  if (orgId !== undefined)
    return {
      what: 'organisation',
      standing: isNoId(orgId) ? undefined : await standingInOrg({ reader }, { userId, orgId }),
    }
  const id = params[objectParam?.name ?? sessionParam ?? '']
  if (id === undefined) throw new Error(`${endpoint.id} admits members and names nothing that an organisation owns`)
  const what = objectParam?.object ?? 'session'
  if (isNoId(id)) return { what, standing: undefined }
  if (what === 'evidence')
    return { what, standing: await standingByEvidenceAcrossOrgs({ reader }, { userId, evidenceId: id }) }
  // A composition carries the id of its session.
  const sessionId = what === 'composition' ? id.replace(/^cmp_/, 'ses_') : id
  return { what, standing: await standingBySessionAcrossOrgs({ reader }, { userId, sessionId }) }
}

const secondFactorNeeded = () =>
  new ServiceError(
    'forbidden',
    'this organisation requires a second factor of its members: add one to your account, on the page /account/',
    { extra: { reason: 'second_factor_required' } },
  )

const notAgreed = () =>
  new ServiceError(
    'forbidden',
    'you came through the single sign-on of one organisation, which counts there alone: agree to more by your password or by the link in your mail, on the page /account/',
    { extra: { reason: 'not_agreed' } },
  )

/**
 * Refuses what is the account's own where the sign-in counts in one organisation alone, and the account is a member of others:
 * who vouches for it there has no say in the rest.
 */
export const actAsPerson = async (
  call: Needs<'reader'>,
  { endpoint, account }: { readonly endpoint: EndpointSpec; readonly account: ActorOf<'account'> },
): Promise<void> => {
  if (account.onlyIn === null || endpoint.auth.some((rule) => rule.kind === 'account' && rule.unagreed)) return
  const others = (await membershipsAcrossOrgs(call, account.id)).some(({ orgId }) => orgId !== account.onlyIn)
  if (others || endpoint.auth.some(({ kind }) => kind === 'desk_operator')) throw notAgreed()
}

/**
 * The person as a member of the organisation that the path names, or that owns what it names: with the permissions that
 * they hold there, and in the environment of that thing. Whoever is no active member there finds nothing.
 */
export const actAsMember = async (
  call: Needs<'config' | 'lastSeen' | 'reader'>,
  {
    endpoint,
    account,
    params,
  }: { readonly endpoint: EndpointSpec; readonly account: ActorOf<'account'>; readonly params: Params },
): Promise<ActorOf<'user'>> => {
  const { what, standing } = await standingIn(call, account.id, endpoint, params)
  if (!standing) throw notFound(what)
  if (standing.lacksSecondFactor) throw secondFactorNeeded()
  const { orgId, environment } = standing
  if (account.onlyIn !== null && account.onlyIn !== orgId) throw notAgreed()
  if (account.vouchedBy !== orgId) await refuseWithoutSso(call, { standing, email: account.email })
  const permissions = permissionsHeld(standing)
  call.lastSeen.note(orgId, account.id)
  return { kind: 'user', id: account.id, email: account.email, orgId, environment, permissions }
}
