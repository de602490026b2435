import type { ErrorCode } from '../core/errors.ts'

/** What the one sentence of a code has no room for. */
interface ErrorHelp {
  /** What usually is behind it. */
  readonly causes: readonly string[]
  readonly todo: string
  /** Whether it helps to send the request again. */
  readonly repeat: string
  /** What the answer says. */
  readonly message: string
  readonly more?: Readonly<Record<string, unknown>>
}

const later = 'Yes, later, with the same `Idempotency-Key`: it has one effect, however often it is sent.'
const useless = 'No. The same request gets the same answer.'

export const errorHelp: { readonly [Code in ErrorCode]: ErrorHelp } = {
  invalid_request: {
    causes: [
      'A field is missing, has another type, or is out of range; `details` names all of them at once, each by its path.',
      'A name in the query or the body is not known here, often a slip of the pen.',
      '413: the body is larger than this endpoint takes. 415: it is not sent as `application/json`.',
    ],
    todo: 'Correct what `details` names.',
    repeat: useless,
    message: 'config.retentionDays: must be at least 1',
    more: { details: [{ path: 'config.retentionDays', message: 'must be at least 1' }] },
  },
  unauthorized: {
    causes: [
      'There is no `Authorization: Bearer sk_…` header, or it was cut off on the way.',
      'The key was revoked or has expired, or belongs to another installation.',
    ],
    todo: 'Compare the key with the keys of your organisation (`GET /v1/orgs/{orgId}/api-keys`). `GET /v1/api/me` describes the key that you send.',
    repeat: useless,
    message: 'the API key is not valid',
  },
  insufficient_scope: {
    causes: ['The key is valid, but it does not have the scope that this endpoint needs.'],
    todo: 'Make a key with that scope. The reference names the scope of each endpoint; `GET /v1/api/me` lists the scopes of your key.',
    repeat: useless,
    message: 'this key lacks the scope sessions:write',
  },
  forbidden: {
    causes: [
      'A live key was used for an endpoint that works in the sandbox only.',
      'The candidate has not agreed to the part that would be sent or shown.',
      'A signed-in member does not have the permission.',
    ],
    todo: 'Read `message`: it names the cause.',
    repeat: useless,
    message: 'interviews are simulated in the sandbox only; use a sandbox key',
  },
  not_found: {
    causes: [
      'The id belongs to another organisation or to the other environment: a sandbox key sees no live session.',
      'It was deleted or erased.',
      '405: the path is right and the method is not; `Allow` names those that are. The list of codes is closed and has none for this, so tell it from a missing thing by the status.',
    ],
    todo: 'Check the id and the environment of your key. Anything that belongs to another organisation answers `not_found` too.',
    repeat: useless,
    message: 'session not found',
  },
  conflict: {
    causes: [
      'The state does not allow it: a session that has ended cannot be changed.',
      'Another request was faster. With `Retry-After`, the first one under the same `Idempotency-Key` still runs.',
    ],
    todo: 'Read the current state, then decide again.',
    repeat: 'With `Retry-After`: yes, after so many seconds. Without: only when the state has changed.',
    message: 'this session has ended',
  },
  idempotency_key_reuse: {
    causes: ['The same `Idempotency-Key` came before, with another body or for another endpoint.'],
    todo: 'Make a new key for each new operation, and send the same key when you repeat that operation.',
    repeat: useless,
    message: 'this Idempotency-Key was used with a different body',
  },
  rate_limited: {
    causes: ['More requests within a minute than the key or the organisation may send: `RateLimit-Scope` says which.'],
    todo: 'Wait `Retry-After` seconds. Use webhooks or the event stream instead of polling.',
    repeat: 'Yes, after `Retry-After` seconds.',
    message: 'too many requests; try again in 12 seconds',
  },
  internal_error: {
    causes: ['The service failed. Your request is not the cause, and the service has logged the failure.'],
    todo: 'Keep the `requestId`: with it the operator finds the failure in the log.',
    repeat: later,
    message: 'an unexpected failure',
  },
  service_unavailable: {
    causes: [
      'Something that the service needs is not configured or does not answer at the moment.',
      'The server is restarting.',
    ],
    todo: 'Wait `Retry-After` seconds if the answer has that header. `GET /v1/health/ready` says what is missing.',
    repeat: later,
    message: 'the service is restarting',
  },
}
