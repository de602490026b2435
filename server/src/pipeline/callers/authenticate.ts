import type { IncomingHttpHeaders } from 'node:http'
import { type AuthRule, cookieCredentialKinds, type EndpointSpec, neededWords, ServiceError } from '@integrity/protocol'
import type { Config } from '../../kernel/config.ts'
import type { FoundCredential } from '../../kernel/credential-source.ts'
import type { Actor, ActorOf } from '../../kernel/identity/actor.ts'
import { SignInOver } from '../../kernel/sign-ins.ts'
import { hashSecret } from '../../platform/crypto/secrets.ts'
import { type DownloadGrant, verify } from '../../platform/crypto/signed-token.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { otherCredential } from './credential-words.ts'
import { readPortalCookies } from './portal-cookies.ts'

const unauthorized = (message: string, extra: Readonly<Record<string, unknown>> = {}) =>
  new ServiceError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' }, extra })

const admits = (endpoint: EndpointSpec, kind: AuthRule['kind']): boolean =>
  endpoint.auth.some((rule) => rule.kind === kind)

/** The bearer credential that came with a request. Throws `unauthorized` for a header of another form. */
export const bearerOf = (headers: IncomingHttpHeaders): string | undefined => {
  const header = headers.authorization
  if (header === undefined) return undefined
  const match = /^Bearer +(\S+)$/i.exec(header)
  if (!match?.[1]) throw unauthorized('the Authorization header must be `Bearer <credential>`')
  return match[1]
}

/** The key that is the user name of Basic; there is no password. */
const basicKeyOf = (headers: IncomingHttpHeaders): string => {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(headers.authorization ?? '') ?? []
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  if (/^[^:\s]+:$/.test(text)) return text.slice(0, -1)
  throw unauthorized('send the key as "Authorization: Basic …": as the user name, without a password')
}

const refused = 'this credential is unknown, expired or revoked'

const findAnew = async (app: PipelineParts, token: string, hash: string): Promise<FoundCredential> => {
  const stamp = app.credentials.stamp()
  const sources = app.credentialSources
  const source = sources.find((one) => one.owns?.(token)) ?? sources.find((one) => one.owns === undefined)
  const found = await source?.find(app.db.reader, hash)
  if (!found) throw unauthorized(refused)
  app.credentials.set(hash, found, stamp)
  return found
}

/** The actor of a credential, unless it has ended. */
const actorOf = (app: PipelineParts, endpoint: EndpointSpec, found: FoundCredential): Actor => {
  const admitted = !found.spent || endpoint.admitsSpent
  if (admitted && app.clock.now() < found.until) return found.actor
  throw unauthorized(refused, { reason: found.ending ?? 'expired' })
}

/** Whether the key that asked for a download link is still the one that it was. */
const keyHolds = async (app: PipelineParts, { orgId, by }: DownloadGrant): Promise<boolean> => {
  if (by?.kind !== 'api_key') return true
  const credential = { orgId, id: by.id, since: by.madeAt }
  for (const source of app.credentialSources) if (await source.stillHolds?.(app.db.reader, credential)) return true
  return false
}

const byDownloadToken = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  token: string | undefined,
): Promise<Actor> => {
  const rule = endpoint.auth.find((candidate) => candidate.kind === 'download')
  const grant = token === undefined ? 'invalid' : verify(token, app.downloadKey, app.clock.now())
  if (grant === 'expired') throw unauthorized('this download link has expired; mint a new one')
  if (grant === 'invalid') throw unauthorized('a valid download token is required')
  const [object, environment] = grant.kind.split(':')
  if (object !== rule?.object) throw unauthorized('this download token is for something else')
  if (!(await keyHolds(app, grant))) throw unauthorized('the key that asked for this download link has ended')
  return {
    kind: 'download',
    id: `download:${grant.objectId}`,
    orgId: grant.orgId,
    environment: environment === 'live' ? 'live' : 'sandbox',
    objectId: grant.objectId,
    mintedBy: grant.by?.id,
  }
}

/** The signed-in person of a portal cookie, where the endpoint takes one. */
const byCookie = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  headers: IncomingHttpHeaders,
): Promise<Actor | undefined> => {
  const { access, refresh } = readPortalCookies(headers.cookie, app.config.baseUrl)
  if (admits(endpoint, 'refresh')) {
    const actor = refresh === undefined ? undefined : await app.signIns.refresh(refresh)
    if (!actor) throw new SignInOver('there is no sign-in to renew, or it has ended; sign in again')
    return actor
  }
  if (!cookieCredentialKinds.some((kind) => admits(endpoint, kind))) return undefined
  if (access === undefined) return undefined
  const person = await app.signIns.account(access)
  if (!person) throw unauthorized('this sign-in has expired or ended; renew it or sign in again')
  return person
}

const isOf = (rule: Extract<AuthRule, { kind: 'link' }>, actor: Actor): boolean =>
  actor.kind === 'link' && actor.link === rule.link

/** Whose secret it is, where the endpoint is for that kind. */
const byToken = async (app: PipelineParts, endpoint: EndpointSpec, token: string): Promise<Actor> => {
  const hash = hashSecret(token)
  const actor = actorOf(app, endpoint, app.credentials.get(hash) ?? (await findAnew(app, token, hash)))
  const fits = endpoint.auth.some((rule) => rule.kind === actor.kind && (rule.kind !== 'link' || isOf(rule, actor)))
  if (!fits) throw unauthorized(otherCredential(endpoint, actor.kind))
  return actor
}

const isBasic = (endpoint: EndpointSpec): boolean => admits(endpoint, 'assessment')

/** The same refusal with the challenge of an endpoint whose key travels as a user name. */
const challengedByBasic = (error: unknown): unknown =>
  error instanceof ServiceError && error.code === 'unauthorized'
    ? new ServiceError('unauthorized', error.message, {
        headers: { 'WWW-Authenticate': 'Basic realm="assessments"' },
        extra: error.extra,
      })
    : error

/**
 * Who calls. Deny is the default: a credential of a kind that the endpoint does not admit is refused, even when the
 * endpoint also takes anonymous callers without one. A bearer credential comes before a cookie, which does not rescue a
 * wrong one. What a signed-in person may do is known once the path has named the organisation (`SignIns.member`).
 */
export const authenticate = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  request: { headers: IncomingHttpHeaders; query: Readonly<Record<string, string>>; address: string },
): Promise<Actor> => {
  if (admits(endpoint, 'anonymous')) return { kind: 'anonymous', id: request.address }
  if (admits(endpoint, 'download')) return byDownloadToken(app, endpoint, request.query['token'])
  if (isBasic(endpoint)) {
    try {
      return await byToken(app, endpoint, basicKeyOf(request.headers))
    } catch (error) {
      throw challengedByBasic(error)
    }
  }
  const token = bearerOf(request.headers)
  if (token === undefined) {
    const person = await byCookie(app, endpoint, request.headers)
    if (person) return person
    throw unauthorized('send a credential as "Authorization: Bearer …", or sign in')
  }
  return byToken(app, endpoint, token)
}

/** The person as an operator of the access desk: whose address is named in the settings, and nobody else. */
const asOperator = ({ deskOperators }: Config, account: ActorOf<'account'>): ActorOf<'desk_operator'> => {
  if (deskOperators.includes(account.email)) return { ...account, kind: 'desk_operator' }
  throw new ServiceError('forbidden', 'this is for operators of the access desk')
}

/** A signed-in person as what the endpoint is for: a member of where the path leads, an operator, or just themselves. */
export const actAs = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  actor: Actor,
  params: Readonly<Record<string, string>>,
): Promise<Actor> => {
  if (actor.kind !== 'account') return actor
  if (admits(endpoint, 'user')) return app.signIns.member(endpoint, actor, params)
  await app.signIns.person(endpoint, actor)
  return admits(endpoint, 'desk_operator') ? asOperator(app.config, actor) : actor
}

const holdsOneOf = (
  { permission, orPermission }: Extract<AuthRule, { kind: 'user' }>,
  { permissions }: ActorOf<'user'>,
): boolean =>
  permission === undefined ||
  permissions.includes(permission) ||
  (orPermission !== undefined && permissions.includes(orPermission))

/** Scope or permission, and the session a bound credential belongs to. */
export const authorize = (endpoint: EndpointSpec, actor: Actor, params: Readonly<Record<string, string>>): void => {
  const rule = endpoint.auth.find((candidate) => candidate.kind === actor.kind)
  if (!rule) throw new ServiceError('forbidden', otherCredential(endpoint, actor.kind))
  if (rule.kind === 'api_key' && actor.kind === 'api_key' && !actor.scopes.includes(rule.scope))
    throw new ServiceError('insufficient_scope', `this needs the scope ${rule.scope}`)
  if (rule.kind === 'user' && actor.kind === 'user' && !holdsOneOf(rule, actor))
    throw new ServiceError('forbidden', `this needs the permission ${neededWords(rule)}`)
  if (actor.kind === 'agent' || actor.kind === 'companion' || actor.kind === 'room') {
    const named = endpoint.sessionParam ? params[endpoint.sessionParam] : undefined
    if (named !== undefined && named !== actor.sessionId) throw new ServiceError('not_found', 'session not found')
  }
}

/** What a member is shown was chosen by what they held when they came in. */
const holdsTheSame = (before: Actor, now: Actor): boolean =>
  before.kind !== 'user' || now.kind !== 'user' || before.permissions.join() === now.permissions.join()

interface LetIn {
  readonly request: Parameters<typeof authenticate>[2]
  readonly params: Readonly<Record<string, string>>
  readonly actor: Actor
}

/** Whether the credential of a request would still be let in, as the one that it was then. */
export const isStillAllowed = async (
  app: PipelineParts,
  endpoint: EndpointSpec,
  { request, params, actor: before }: LetIn,
): Promise<boolean> => {
  try {
    const actor = await actAs(app, endpoint, await authenticate(app, endpoint, request), params)
    authorize(endpoint, actor, params)
    return holdsTheSame(before, actor)
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
