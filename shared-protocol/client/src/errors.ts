import type { ErrorCode } from './endpoint-types.ts'

/** Everything this library throws, but for a wrong use of it (TypeError) and the reason of an aborted signal. */
export class IntegrityError extends Error {
  override readonly name: string = 'IntegrityError'
  /** How often the request was sent. */
  attempts = 1
}

export interface ErrorDetail {
  /** In dots and indexes: `config.retentionDays`. */
  readonly path: string
  readonly message: string
}

/** The service refused. `code` says why, `details` which fields; quote `requestId` when asking for help. */
export class IntegrityApiError extends IntegrityError {
  override readonly name = 'IntegrityApiError'
  readonly status: number
  /** `not_the_service`: an answer without the service's envelope, such as a proxy's page. */
  readonly code: ErrorCode | 'not_the_service'
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined
  /** What `Retry-After` asked for. */
  readonly retryAfterMs: number | undefined
  /** The whole `error` object, with what some endpoints add to it. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(fields: {
    readonly status: number
    readonly code: IntegrityApiError['code']
    readonly message: string
    readonly details?: readonly ErrorDetail[]
    readonly requestId?: string | undefined
    readonly retryAfterMs?: number | undefined
    readonly body?: Readonly<Record<string, unknown>>
  }) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? []
    this.requestId = fields.requestId
    this.retryAfterMs = fields.retryAfterMs
    this.body = fields.body ?? {}
  }
}

/** No answer: the network failed or the time was up. Whether the service did what was asked is not known. */
export class IntegrityConnectionError extends IntegrityError {
  override readonly name = 'IntegrityConnectionError'
  readonly code: 'no_answer' | 'timeout'

  constructor(code: IntegrityConnectionError['code'], message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Events that a resumed stream cannot give any more. */
export interface EventGap {
  /** The last event this client had. */
  readonly requested: string
  /** The oldest event that a resume could still begin after; null when there is none. */
  readonly oldest: string | null
  /** Events fetched from the log, which the stream yields next. */
  readonly recovered: number
  /** True when those are all that were missed. */
  readonly complete: boolean
}

/** A gap that could not be closed, and nobody was there to be told. */
export class EventGapError extends IntegrityError {
  override readonly name = 'EventGapError'
  readonly gap: EventGap

  constructor(gap: EventGap) {
    super(`events after ${gap.requested} are missing and were not all found again; pass onGap to go on without them`)
    this.gap = gap
  }
}
