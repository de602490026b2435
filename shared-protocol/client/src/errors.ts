import type { ErrorCode } from './endpoint-types.ts'

/** Why something failed: the service's own code, or one of this library's for what the service never said. */
export type FailureCode =
  | ErrorCode
  /** The network failed, or the time was up. Whether the service did what was asked is not known. */
  | 'no_answer'
  | 'timeout'
  /** An answer without the service's envelope, such as a proxy's page. */
  | 'not_the_service'
  | 'unreadable_event'
  | 'event_gap'
  | 'webhook_not_verified'

/** What a failure means for whoever asked, whatever the endpoint. */
export type FailureKind =
  /** No answer of the service, or one that says to come back later. */
  | 'later'
  /** Too many requests, or too many wrong codes, from this address. */
  | 'too_many'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  /** It would be refused again. */
  | 'refused'

export interface ErrorDetail {
  /** In dots and indexes: `config.retentionDays`. */
  readonly path: string
  readonly message: string
}

export interface Failure {
  readonly code: FailureCode
  readonly message: string
  /** 0 where there was no answer. */
  readonly status?: number | undefined
  readonly details?: readonly ErrorDetail[] | undefined
  readonly extra?: Readonly<Record<string, unknown>> | undefined
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

const kinds: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'later',
  409: 'conflict',
  429: 'too_many',
}

/**
 * Everything that this library throws, but for a wrong use of it (TypeError) and the reason of an aborted signal.
 * `code` says why, `details` which fields; quote `requestId` when asking for help.
 *
 * @example
 * ```ts
 * try {
 *   await client.call('sessions.get', { params: { id: sessionId } })
 * } catch (error) {
 *   if (!(error instanceof IntegrityError)) throw error
 *   console.log(error.code, error.isPassing ? 'ask again later' : error.message, error.requestId)
 * }
 * ```
 */
export class IntegrityError extends Error {
  override readonly name: string = 'IntegrityError'
  readonly code: FailureCode
  readonly status: number
  readonly details: readonly ErrorDetail[]
  /** What some endpoints add to a refusal. */
  readonly extra: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined
  /** What `Retry-After` asked for. */
  readonly retryAfterMs: number | undefined
  /** How often the request was sent. */
  attempts = 1

  constructor({ code, message, status = 0, details = [], extra = {}, requestId, retryAfterMs, cause }: Failure) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.details = details
    this.extra = extra
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }

  /** False when the service itself was not heard, but at most somebody in between. */
  get isAnswer(): boolean {
    return !this.isUnanswered && this.code !== 'not_the_service'
  }

  /** True when nobody answered, so that whether the service did what was asked is not known. */
  get isUnanswered(): boolean {
    return this.code === 'no_answer' || this.code === 'timeout'
  }

  get kind(): FailureKind {
    const { status } = this
    // A conflict that passes: the same request of before is still under way there.
    const passes = !this.isAnswer || status >= 500 || (status === 409 && this.retryAfterMs !== undefined)
    return passes ? 'later' : (kinds[status] ?? 'refused')
  }

  /** Whether the same may succeed another time. */
  get isPassing(): boolean {
    return this.kind === 'later' || this.kind === 'too_many'
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

/**
 * A gap that could not be closed, and nobody was there to be told.
 *
 * @example
 * ```ts
 * try {
 *   for await (const event of client.streamEvents({ lastEventId })) console.log(event.id)
 * } catch (error) {
 *   if (error instanceof EventGapError) console.log(error.gap.requested, error.gap.oldest)
 *   else throw error
 * }
 * ```
 */
export class EventGapError extends IntegrityError {
  override readonly name = 'EventGapError'
  readonly gap: EventGap

  constructor(gap: EventGap) {
    const message = `events after ${gap.requested} are missing and were not all found again; pass onGap to go on without them`
    super({ code: 'event_gap', message })
    this.gap = gap
  }
}
