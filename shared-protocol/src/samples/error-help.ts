import type { ErrorCode } from '../core/errors.ts'

/** What the one sentence of a code has no room for. */
interface ErrorHelp {
  /** What usually lies behind it. */
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
    todo: 'Look at the key in the portal (Developers, API keys). `GET /v1/api/me` says what a key is.',
    repeat: useless,
    message: 'the API key is not valid',
  },
  insufficient_scope: {
    causes: ['The key is right, and was made without the scope that this endpoint needs.'],
    todo: 'Make a key that has it. Each endpoint says here which one that is; `GET /v1/api/me` lists those of a key.',
    repeat: useless,
    message: 'this key lacks the scope sessions:write',
  },
  forbidden: {
    causes: [
      'A live key asks for something that is for the sandbox only.',
      'The candidate has not agreed to what would be sent or shown.',
      'A signed-in member does not have the permission.',
    ],
    todo: 'Read `message`: it says which of these it is.',
    repeat: useless,
    message: 'interviews are simulated in the sandbox only; use a sandbox key',
  },
  not_found: {
    causes: [
      'The id is not one of your organisation, or of the other environment: a sandbox key sees no live session.',
      'It was deleted or erased.',
      '405: the path is right and the method is not; `Allow` names those that are.',
    ],
    todo: 'Compare the id and the environment of the key. What is not yours does not exist.',
    repeat: useless,
    message: 'session not found',
  },
  conflict: {
    causes: [
      'The state does not allow it: a session that has ended cannot be changed.',
      'Another request was faster. With `Retry-After`, the first one under the same `Idempotency-Key` still runs.',
    ],
    todo: 'Ask for the current state, and decide anew.',
    repeat: 'With `Retry-After`: yes, after so many seconds. Without: only when the state has changed.',
    message: 'this session has ended',
  },
  idempotency_key_reuse: {
    causes: ['The same `Idempotency-Key` came before, with another body or for another endpoint.'],
    todo: 'Make a new key for each new intention, and keep it for the repetitions of that one.',
    repeat: useless,
    message: 'this Idempotency-Key was used with a different body',
  },
  rate_limited: {
    causes: ['More requests within a minute than the key or the organisation may send: `RateLimit-Scope` says which.'],
    todo: 'Wait `Retry-After` seconds. Follow the event stream, or take webhooks, where you would ask again and again.',
    repeat: 'Yes, after `Retry-After` seconds.',
    message: 'too many requests; try again in 12 seconds',
  },
  internal_error: {
    causes: ['Something here went wrong. It is not your request, and it is in our log.'],
    todo: 'Keep the `requestId`; it finds the line of the log.',
    repeat: later,
    message: 'an unexpected failure',
  },
  service_unavailable: {
    causes: [
      'Something that the service needs is not set up, or does not answer just now.',
      'The server is being started anew.',
    ],
    todo: 'Wait `Retry-After` seconds where it is there. `GET /v1/health/ready` says what is missing.',
    repeat: later,
    message: 'the service is being started anew',
  },
}
