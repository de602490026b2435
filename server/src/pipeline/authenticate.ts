import type { IncomingHttpHeaders } from 'node:http'
import { type AuthRule, type EndpointSpec, linkKinds, ServiceError, secretPrefixes } from '@integrity/protocol'
import { findApiKey } from '../domains/api-keys/api-keys.service.ts'
import { readPortalCookies } from '../domains/auth/auth.cookies.ts'
import { findAccount, findRefresh } from '../domains/auth/portal-actor.service.ts'
import { signInOver } from '../domains/auth/refresh.service.ts'
import { findLink } from '../domains/links/links.service.ts'
import { findSessionCredential } from '../domains/sessions/credentials.store.ts'
import { credentialEndsAt } from '../domains/sessions/sessions.policy.ts'
import type { Actor } from '../kernel/actor.ts'
import type { FoundCredential } from '../kernel/credential-cache.ts'
import type { AppContext } from '../kernel/parts.ts'
import { hashSecret } from '../platform/crypto/secrets.ts'
import { verify } from '../platform/crypto/signed-token.ts'

const unauthorized = (message: string, extra: Readonly<Record<string, unknown>> = {}) =>
  new ServiceError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' }, extra })

const admits = (endpoint: EndpointSpec, kind: AuthRule['kind']): boolean =>
  endpoint.auth.some((rule) => rule.kind === kind)

const bearerOf = (headers: IncomingHttpHeaders): string | undefined => {
  const header = headers.authorization
  if (header === undefined) return undefined
  const match = /^Bearer +(\S+)$/i.exec(header)
  if (!match?.[1]) throw unauthorized('the Authorization header must be `Bearer <credential>`')
  return match[1]
}

const isLink = (token: string): boolean => linkKinds.some((kind) => token.startsWith(secretPrefixes[kind]))

const lookUp = async (app: AppContext, token: string, hash: string): Promise<FoundCredential | undefined> => {
  if (token.startsWith('sk_')) {
    const actor = await findApiKey(app.db.reader, hash)
    return actor && { actor, until: Number.POSITIVE_INFINITY }
  }
  if (isLink(token)) return findLink(app.db.reader, hash)
  const found = await findSessionCredential(app.db.reader, hash)
  if (!found) return undefined
  const { endedAt, createdAt, revokedAt, ...actor } = found
  const until = credentialEndsAt(actor.kind, { createdAt, endedAt })
  const spent = revokedAt !== null
  // Told to nobody but who holds the secret.
  return { actor, until, spent, ending: spent ? 'released' : endedAt === null ? 'expired' : 'session_ended' }
}

const refused = 'this credential is unknown, expired or revoked'

const findAnew = async (app: AppContext, token: string, hash: string): Promise<FoundCredential> => {
  const stamp = app.credentials.stamp()
  const found = await lookUp(app, token, hash)
  if (!found) throw unauthorized(refused)
  app.credentials.set(hash, found, stamp)
  return found
}

/** The actor of a credential, unless it has ended. */
const actorOf = (app: AppContext, endpoint: EndpointSpec, found: FoundCredential): Actor => {
  const admitted = !found.spent || endpoint.admitsSpent
  if (admitted && app.clock.now() < found.until) return found.actor
  throw unauthorized(refused, { reason: found.ending ?? 'expired' })
}

const byDownloadToken = (app: AppContext, endpoint: EndpointSpec, token: string | undefined): Actor => {
  const rule = endpoint.auth.find((candidate) => candidate.kind === 'download')
  const grant = token === undefined ? 'invalid' : verify(token, app.downloadKey, app.clock.now())
  if (grant === 'expired') throw unauthorized('this download link has expired; mint a new one')
  if (grant === 'invalid') throw unauthorized('a valid download token is required')
  const [object, environment] = grant.kind.split(':')
  if (object !== rule?.object) throw unauthorized('this download token is for something else')
  return {
    kind: 'download',
    id: `download:${grant.objectId}`,
    orgId: grant.orgId,
    environment: environment === 'live' ? 'live' : 'sandbox',
    objectId: grant.objectId,
  }
}

/** The signed-in person of a portal cookie, where the endpoint takes one. */
const byCookie = async (
  app: AppContext,
  endpoint: EndpointSpec,
  headers: IncomingHttpHeaders,
): Promise<Actor | undefined> => {
  const { access, refresh } = readPortalCookies(headers.cookie)
  if (admits(endpoint, 'refresh')) {
    const actor = refresh === undefined ? undefined : await findRefresh(app, refresh)
    if (!actor) throw signInOver(app, 'there is no sign-in to renew, or it has ended; sign in again')
    return actor
  }
  if (!admits(endpoint, 'user') && !admits(endpoint, 'account')) return undefined
  if (access === undefined) return undefined
  const person = await findAccount(app, access)
  if (!person) throw unauthorized('this sign-in has expired or ended; renew it or sign in again')
  return person
}

const isOf = (rule: Extract<AuthRule, { kind: 'link' }>, actor: Actor): boolean =>
  actor.kind === 'link' && actor.link === rule.link

/**
 * Who calls. Deny is the default: a credential of a kind that the endpoint does not admit is refused, even when the
 * endpoint also takes anonymous callers without one. A bearer credential comes before a cookie, which does not rescue a
 * wrong one. What a signed-in person may do is known once the path has named the organisation (`actAsMember`).
 */
export const authenticate = async (
  app: AppContext,
  endpoint: EndpointSpec,
  request: { headers: IncomingHttpHeaders; query: Readonly<Record<string, string>>; address: string },
): Promise<Actor> => {
  if (admits(endpoint, 'anonymous')) return { kind: 'anonymous', id: request.address }
  if (admits(endpoint, 'download')) return byDownloadToken(app, endpoint, request.query['token'])
  const token = bearerOf(request.headers)
  if (token === undefined) {
    const person = await byCookie(app, endpoint, request.headers)
    if (person) return person
    throw unauthorized('a credential is required')
  }
  const hash = hashSecret(token)
  const actor = actorOf(app, endpoint, app.credentials.get(hash) ?? (await findAnew(app, token, hash)))
  const fits = endpoint.auth.some((rule) => rule.kind === actor.kind && (rule.kind !== 'link' || isOf(rule, actor)))
  if (!fits) throw unauthorized(`this kind of credential cannot be used here`)
  return actor
}

/** Scope or permission, and the session a bound credential belongs to. */
export const authorize = (endpoint: EndpointSpec, actor: Actor, params: Readonly<Record<string, string>>): void => {
  const rule = endpoint.auth.find((candidate) => candidate.kind === actor.kind)
  if (!rule) throw new ServiceError('forbidden', 'this credential cannot be used here')
  if (rule.kind === 'api_key' && actor.kind === 'api_key' && !actor.scopes.includes(rule.scope))
    throw new ServiceError('insufficient_scope', `this needs the scope ${rule.scope}`)
  if (rule.kind === 'user' && actor.kind === 'user' && rule.permission && !actor.permissions.includes(rule.permission))
    throw new ServiceError('forbidden', `this needs the permission ${rule.permission}`)
  if (actor.kind === 'agent' || actor.kind === 'companion' || actor.kind === 'room') {
    const named = endpoint.sessionParam ? params[endpoint.sessionParam] : undefined
    if (named !== undefined && named !== actor.sessionId) throw new ServiceError('not_found', 'session not found')
  }
}
