import type { IncomingHttpHeaders } from 'node:http'
import type { EndpointSpec } from '@integrity/protocol'
import { isBound } from '../kernel/identity/actor.ts'
import type { Scope } from '../kernel/identity/scope.ts'
import type { PortalTokens } from '../kernel/sign-ins.ts'
import type { AnyCall } from './any-request.ts'
import type { BodyCost } from './bodies/body-cost.ts'
import type { Admitted } from './callers/admit.ts'
import { bearerOf } from './callers/authenticate.ts'
import { readPortalCookies } from './callers/portal-cookies.ts'
import type { PipelineParts } from './pipeline-parts.ts'

const noCookies: PortalTokens = { access: undefined, refresh: undefined, begun: undefined }

/** A sign-in is shown with what the browser calls itself; longer ones are nobody's. */
const maxUserAgent = 300

const declaredOf = (endpoint: EndpointSpec, headers: IncomingHttpHeaders): Record<string, string | undefined> =>
  Object.fromEntries(Object.keys(endpoint.headers ?? {}).map((name) => [name, headers[name]?.toString()]))

/**
 * What handlers learn of a request: of its headers nothing but these fields. Who acts in no organisation has no scope;
 * handlers of such endpoints never hand one on.
 */
export const makeCall = (
  app: PipelineParts,
  endpoint: EndpointSpec,
  { actor, address, cost }: Pick<Admitted, 'actor' | 'address'> & { readonly cost: BodyCost },
  headers: IncomingHttpHeaders,
  requestId: string,
): AnyCall => {
  const scope = isBound(actor)
    ? { orgId: actor.orgId, environment: actor.environment }
    : (undefined as unknown as Scope)
  return {
    ...app,
    db: app.requestDb,
    actor,
    address,
    measured: cost.measured,
    userAgent: endpoint.setsCookies ? headers['user-agent']?.slice(0, maxUserAgent) : undefined,
    scope,
    requestId,
    cookies: endpoint.setsCookies ? readPortalCookies(headers.cookie, app.config.baseUrl) : noCookies,
    linkToken: actor.kind === 'link' ? bearerOf(headers) : undefined,
    signedHeaders: endpoint.signed ? declaredOf(endpoint, headers) : {},
    ifMatch: endpoint.headers?.['if-match'] === undefined ? undefined : headers['if-match'],
    lastEventId: endpoint.kind === 'sse' ? String(headers['last-event-id'] ?? '') : undefined,
  } as AnyCall
}
