import type { IncomingMessage } from 'node:http'
import { cookieCredentialKinds, type EndpointSpec, ServiceError } from '@integrity/protocol'
import type { Actor } from '../../kernel/identity/actor.ts'

/** A live socket is opened by a program, or by a page of this service; another page's script has no business with it. */
export const checkSocketOrigin = (baseUrl: string, { headers }: Pick<IncomingMessage, 'headers'>): void => {
  const own = new URL(baseUrl).origin
  if (headers.origin !== undefined && headers.origin !== own)
    throw new ServiceError('forbidden', `a live socket cannot be opened from a page of ${headers.origin}`)
}

const byCookie: ReadonlySet<Actor['kind']> = new Set(cookieCredentialKinds)

/**
 * A browser sends cookies by itself, whichever page asks. So what changes something on the strength of a cookie, or
 * hands cookies out, must come from a page of this service (its `Origin` is that of BASE_URL), or from no page at all.
 * Bearer credentials are sent by no browser on its own, and reading is kept from other pages by the same-origin policy.
 */
export const checkOrigin = (
  baseUrl: string,
  endpoint: EndpointSpec,
  actor: Actor,
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
): void => {
  if (method === 'GET' || method === 'HEAD' || endpoint.form) return
  if (!endpoint.setsCookies && !byCookie.has(actor.kind)) return
  const own = new URL(baseUrl).origin
  const foreign = headers.origin === undefined ? headers['sec-fetch-site'] === 'cross-site' : headers.origin !== own
  if (foreign) throw new ServiceError('forbidden', `this must be asked for from a page of this service, ${own}`)
}
