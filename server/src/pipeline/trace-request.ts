import type { IncomingMessage } from 'node:http'
import { type EndpointSpec, ServiceError } from '@integrity/protocol'
import type { NewRoot, SpanFacts } from '../platform/traces/traces.ts'

/** Credentials of the organisation itself. Whatever runs on a candidate's machine does not say what is recorded here. */
const ofOrganisations: ReadonlySet<string> = new Set(['api_key', 'user', 'account', 'desk_operator', 'scim'])

/** The span of a request: the endpoint by its id, the path as the contract has it. */
export const requestSpan = (request: IncomingMessage, endpoint: EndpointSpec, requestId: string): NewRoot => ({
  kind: 'request',
  name: endpoint.id,
  facts: {
    'http.request.method': endpoint.method,
    'http.route': endpoint.path,
    'app.request_id': requestId,
  },
  parent: request.headers['traceparent']?.toString(),
  decides: endpoint.auth.every(({ kind }) => ofOrganisations.has(kind)),
  requestId,
})

/** What became of it. A refusal is the caller's matter, and no error of this service. */
export const answerFacts = (status: number, refusal: unknown): SpanFacts => ({
  'http.response.status_code': status,
  ...(status < 500 ? {} : { 'error.type': refusal instanceof ServiceError ? refusal.code : String(status) }),
})
