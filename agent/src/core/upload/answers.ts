import { IntegrityError } from '@integrity/client/errors'

/**
 * What a failed request asks of the uploader:
 * `outage` nobody of the service answered (also a captive portal or a proxy in between): everything waits;
 * `hold` the service asks all of us to wait; `retry` this item later; `refuse` never again; `unauthorized` stop.
 */
export type Failure =
  | { readonly kind: 'outage' }
  | { readonly kind: 'hold'; readonly waitMs: number }
  | { readonly kind: 'retry'; readonly waitMs: number; readonly serverError: boolean }
  | { readonly kind: 'refuse'; readonly reason: string; readonly shred: boolean }
  | { readonly kind: 'unauthorized' }

/** A 429 without `Retry-After` waits one rate window. */
const rateWindowMs = 60_000

const isTransient = (status: number): boolean => status >= 500 || status === 408 || status === 425

export const describeError = (error: unknown): string =>
  error instanceof IntegrityError
    ? `${error.status} ${error.code}: ${error.message}`
    : error instanceof Error
      ? error.message
      : String(error)

/** Reads a failure. Only an answer in the service's own envelope can refuse an item for good. */
export const readFailure = (error: unknown): Failure => {
  if (!(error instanceof IntegrityError)) return { kind: 'retry', waitMs: 0, serverError: false }
  const { status, code, retryAfterMs } = error
  if (error.isUnanswered) return { kind: 'outage' }
  if (status === 429) return { kind: 'hold', waitMs: retryAfterMs ?? rateWindowMs }
  if (status === 503 && retryAfterMs !== undefined) return { kind: 'hold', waitMs: retryAfterMs }
  if (isTransient(status)) return { kind: 'retry', waitMs: retryAfterMs ?? 0, serverError: true }
  if (code === 'not_the_service') return { kind: 'outage' }
  if (status === 401) return { kind: 'unauthorized' }
  // Another request with the same item is still in flight at the server.
  if (status === 409 && retryAfterMs !== undefined) return { kind: 'retry', waitMs: retryAfterMs, serverError: false }
  // Declined or withdrawn (403), or erased (409): nothing of it may stay on this disk either.
  return { kind: 'refuse', reason: describeError(error), shred: status === 403 || status === 409 }
}

/** Indexes of the events a refused batch names as at fault (`events.3.kind`), in order. */
export const eventsAtFault = (error: unknown): number[] => {
  if (!(error instanceof IntegrityError)) return []
  const indexes = error.details.flatMap(({ path }) => {
    const match = /^(?:body\.)?events\.(\d+)(?:\.|$)/.exec(path)
    return match ? [Number(match[1])] : []
  })
  return [...new Set(indexes)].sort((a, b) => a - b)
}

/** There is nothing where the service was asked to put something. */
export const isGone = (error: unknown): boolean =>
  error instanceof IntegrityError && error.code !== 'not_the_service' && (error.status === 404 || error.status === 410)
