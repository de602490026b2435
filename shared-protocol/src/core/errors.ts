/** Every error code of the interface with its HTTP status and what it means. Declared here, spelled nowhere else. */
export const errorCodes = {
  invalid_request: {
    status: 400,
    summary: 'The request is malformed or a value is out of range; `details` names each field.',
  },
  unauthorized: { status: 401, summary: 'No credential, or one that is unknown, expired or revoked.' },
  insufficient_scope: { status: 403, summary: 'The API key lacks the scope this endpoint needs.' },
  forbidden: { status: 403, summary: 'The caller is known but may not do this, or consent for it is not recorded.' },
  not_found: { status: 404, summary: 'No such thing, or it belongs to somebody else.' },
  conflict: { status: 409, summary: 'The current state does not allow this, or another request was faster.' },
  idempotency_key_reuse: { status: 422, summary: 'This Idempotency-Key was used with a different body.' },
  rate_limited: { status: 429, summary: 'A rate ceiling was hit; wait `Retry-After` seconds.' },
  internal_error: { status: 500, summary: 'An unexpected failure; quote the request id when asking for help.' },
  service_unavailable: { status: 503, summary: 'Something the service depends on is not configured or down.' },
} as const

export type ErrorCode = keyof typeof errorCodes

/**
 * Why a credential that was right opens nothing any more: `reason` beside `code` in an `unauthorized` answer. The last three
 * are of links. A secret that the service never gave out gets none.
 */
export type CredentialEnding = 'released' | 'session_ended' | 'expired' | 'replaced' | 'revoked' | 'declined'

/** One field at fault: `path` in dots and indexes (`config.retentionDays`, `events.3.kind`), `message` in words. */
export interface ErrorDetail {
  readonly path: string
  readonly message: string
}

export interface ServiceErrorOptions {
  /** Overrides the code's status where the interface has several (413, 415, 405). */
  readonly status?: number
  readonly details?: readonly ErrorDetail[]
  /** A list becomes a header of its own for each value (`Set-Cookie`). */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Additive fields beside `code` and `message`, such as the current consent document. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** The one error class: a code of the registry, words for people, and what is needed to render it. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly ErrorDetail[]
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly extra: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.status = options.status ?? errorCodes[code].status
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
    this.extra = options.extra ?? {}
  }
}

export const invalid = (path: string, message: string): ServiceError =>
  new ServiceError('invalid_request', `${path}: ${message}`, { details: [{ path, message }] })

/** `what` is a noun phrase: `notFound('session')` reads "session not found". */
export const notFound = (what: string): ServiceError => new ServiceError('not_found', `${what} not found`)
