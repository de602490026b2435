import { secretPrefixes } from '@integrity/protocol'
import type { SessionStatus } from './agent-session.types.ts'

/** The path of the page on which candidates ask what is kept of them, under a service's address. */
export const requestsPath = '/requests/'

/**
 * Where a candidate asks later: the page of the session's own server, `undefined` before anything can have been
 * recorded. It holds no secret; whoever opens it has a link sent to the invited address.
 */
export const requestsAddress = (joined: SessionStatus['joined']): string | undefined =>
  joined?.registeredAt === undefined
    ? undefined
    : `${joined.server.replace(/\/+$/, '')}${requestsPath}#${encodeURIComponent(joined.sessionId)}`

const linkToken = new RegExp(`^${secretPrefixes.candidate_request}[0-9A-Za-z_-]{16,128}$`)

/**
 * The same page, opened for whoever holds the token; `undefined` for what is no such token. The address is made here
 * and not taken from an answer, so that no answer leads to another host.
 */
export const requestsLink = (address: string, token: unknown): string | undefined =>
  typeof token === 'string' && linkToken.test(token) ? `${address}.${token}` : undefined
