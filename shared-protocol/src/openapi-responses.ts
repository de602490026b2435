import { type EndpointSpec, obeysKey, refusals } from './core/endpoint.ts'
import { type ErrorCode, errorCodes } from './core/errors.ts'

type Json = Record<string, unknown>

const header = (description: string, type = 'string'): Json => ({ description, schema: { type } })

/** Every header of an answer that a client may want to read. */
export const headerComponents = {
  RequestId: header('The id of this request.'),
  ApiVersion: header('The version of the interface, v1.'),
  RateLimitLimit: header('Requests allowed in the window.', 'integer'),
  RateLimitRemaining: header('Requests left in the window.', 'integer'),
  RateLimitReset: header('Seconds until the window ends.', 'integer'),
  RateLimitScope: header('`key` or `org`: the ceiling that is closest, or was hit.'),
  RetryAfter: header('Seconds to wait before the same request may succeed.', 'integer'),
  Allow: header('The methods that this path answers.'),
  WWWAuthenticate: header('`Bearer`, or `Basic` where a key travels as user name.'),
  ContentRange: header('Which bytes these are, and of how many.'),
  AcceptRanges: header('`bytes`.'),
  ContentDisposition: header('The name to keep the file under.'),
  ETag: header('Names this state; send it back as `If-None-Match`, `If-Match` or `If-Range`.'),
  ReprDigest: header(
    'SHA-256 of the whole file, also where a range of it is sent (RFC 9530); not where it is written while it is read.',
  ),
  ContentDigest: header('SHA-256 of what this answer holds, where that is the whole file (RFC 9530).'),
  IdempotencyReplayed: header('`true` where this is the answer of an earlier request under the same key.'),
  SetCookie: header('The tokens of a sign-in, set or cleared.'),
}

const ref = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` })

const onEvery: Json = {
  'X-Request-Id': ref('RequestId'),
  'X-Service-Api-Version': ref('ApiVersion'),
  'RateLimit-Limit': ref('RateLimitLimit'),
  'RateLimit-Remaining': ref('RateLimitRemaining'),
  'RateLimit-Reset': ref('RateLimitReset'),
  'RateLimit-Scope': ref('RateLimitScope'),
}

/** The refusals of every endpoint by status: what they are called, what they mean, and the headers of their own. */
const byStatus: Readonly<
  Record<number, readonly [name: string, description: string, code: ErrorCode, headers?: Json]>
> = {
  400: ['BadRequest', errorCodes.invalid_request.summary, 'invalid_request'],
  401: [
    'Unauthorized',
    errorCodes.unauthorized.summary,
    'unauthorized',
    { 'WWW-Authenticate': ref('WWWAuthenticate') },
  ],
  403: ['Forbidden', `${errorCodes.insufficient_scope.summary} ${errorCodes.forbidden.summary}`, 'insufficient_scope'],
  404: ['NotFound', errorCodes.not_found.summary, 'not_found'],
  405: ['MethodNotAllowed', 'The path is known, and answers other methods.', 'not_found', { Allow: ref('Allow') }],
  409: ['Conflict', errorCodes.conflict.summary, 'conflict', { 'Retry-After': ref('RetryAfter') }],
  412: ['PreconditionFailed', 'It is not in the state that `If-Match` names any more.', 'conflict'],
  413: ['ContentTooLarge', 'The body is larger than this endpoint takes.', 'invalid_request'],
  415: ['UnsupportedMediaType', 'The body is of a type that this endpoint does not take.', 'invalid_request'],
  416: [
    'RangeNotSatisfiable',
    'The range lies beyond the end.',
    'invalid_request',
    { 'Content-Range': ref('ContentRange') },
  ],
  422: ['KeyReused', errorCodes.idempotency_key_reuse.summary, 'idempotency_key_reuse'],
  429: ['TooManyRequests', errorCodes.rate_limited.summary, 'rate_limited', { 'Retry-After': ref('RetryAfter') }],
  431: ['HeadersTooLarge', 'The headers are larger than 16 KiB.', 'invalid_request'],
  500: ['InternalError', errorCodes.internal_error.summary, 'internal_error'],
  503: [
    'Unavailable',
    errorCodes.service_unavailable.summary,
    'service_unavailable',
    { 'Retry-After': ref('RetryAfter') },
  ],
}

export const scimError: Json = {
  type: 'object',
  description: 'RFC 7644, section 3.12.',
  required: ['schemas', 'status', 'detail'],
  properties: {
    schemas: { type: 'array', items: { const: 'urn:ietf:params:scim:api:messages:2.0:Error' } },
    status: { type: 'string', description: 'The HTTP status, as text.' },
    scimType: { type: 'string' },
    detail: { type: 'string', description: 'For people; may be reworded.' },
  },
}

const requestId = 'req_01k9s4m2r8v6x3w7y5z0abcdef'

const contents = {
  '': (message: string, code: ErrorCode) => ({
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      example: { success: false, error: { code, message }, requestId },
    },
  }),
  Scim: (detail: string, _code: ErrorCode, status: string) => ({
    'application/scim+json': {
      schema: { $ref: '#/components/schemas/ScimError' },
      example: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status, detail },
    },
  }),
}

/** What each wire refuses with. */
export const responseComponents = (): Json =>
  Object.fromEntries(
    Object.entries(contents).flatMap(([wire, content]) =>
      Object.entries(byStatus).map(([status, [name, description, code, own]]) => [
        `${wire}${name}`,
        { description, headers: { ...onEvery, ...own }, content: content(description, code, status) },
      ]),
    ),
  )

/** The refusals of one endpoint, each by its status alone. */
export const refusalsOf = (endpoint: EndpointSpec): Json =>
  Object.fromEntries(
    [...refusals(endpoint)]
      .sort(([a], [b]) => a - b)
      .map(([status]: [number, readonly ErrorCode[]]) => {
        const [name] = byStatus[status] ?? []
        if (name === undefined) throw new Error(`${endpoint.id} answers ${status}, which has no description`)
        return [String(status), { $ref: `#/components/responses/${endpoint.wire ? 'Scim' : ''}${name}` }]
      }),
  )

const bytesHeaders = {
  'Content-Disposition': ref('ContentDisposition'),
  'Repr-Digest': ref('ReprDigest'),
  'Content-Digest': ref('ContentDigest'),
}

/** The headers of an answer that succeeded. */
export const successHeaders = (endpoint: EndpointSpec, status: number): Json => {
  const isRead = endpoint.success.some((other) => other === 206 || other === 304)
  const tagged = isRead || endpoint.headers?.['if-match'] !== undefined
  return {
    ...onEvery,
    ...(obeysKey(endpoint) ? { 'Idempotency-Replayed': ref('IdempotencyReplayed') } : {}),
    ...(endpoint.setsCookies ? { 'Set-Cookie': ref('SetCookie') } : {}),
    ...(tagged ? { ETag: ref('ETag') } : {}),
    ...(endpoint.kind === 'bytes' ? bytesHeaders : {}),
    ...(endpoint.headers?.['range'] ? { 'Accept-Ranges': ref('AcceptRanges') } : {}),
    ...(status === 206 ? { 'Content-Range': ref('ContentRange') } : {}),
  }
}
