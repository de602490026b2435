import { reasonOf } from './abort.ts'
import { backoffMs } from './backoff.ts'
import { IntegrityError } from './errors.ts'
import type { Runtime } from './runtime.ts'

/**
 * How often and when a call that may succeed later is sent again.
 *
 * @example
 * ```ts
 * const patient = createIntegrityClient({ baseUrl, apiKey, retries: { maxAttempts: 10, maxElapsedMs: 600_000 } })
 * const impatient = createIntegrityClient({ baseUrl, apiKey, retries: false })
 * ```
 */
export interface RetryPolicy {
  /** Requests at most, the first included. 1 never tries again. */
  readonly maxAttempts: number
  /** The first wait is up to this long, each next one up to twice as long. Milliseconds. */
  readonly baseMs: number
  /** No wait of our own is longer. Milliseconds. */
  readonly capMs: number
  /** No retry begins later than this after the first request. Milliseconds. */
  readonly maxElapsedMs: number
}

/** Long enough to sit out one window of the rate ceiling, which is 60 s. */
export const defaultRetries: RetryPolicy = { maxAttempts: 5, baseMs: 500, capMs: 10_000, maxElapsedMs: 120_000 }

const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

/**
 * Whether the same request may succeed later: no answer, a busy or failing server, or a conflict that itself says when
 * to come back (the first request with this key still runs). Every other refusal is final.
 */
export const mayPass = (error: unknown): boolean => {
  if (!(error instanceof IntegrityError)) return false
  if (error.isUnanswered) return true
  return passing.has(error.status) || (error.status === 409 && error.retryAfterMs !== undefined)
}

/** Runs `attempt` until it succeeds, cannot succeed, or the policy ends; throws the last error. */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  how: {
    readonly policy: RetryPolicy
    readonly runtime: Runtime
    readonly safe: boolean
    readonly signal: AbortSignal | undefined
  },
): Promise<{ value: T; attempts: number }> => {
  const { policy, runtime, signal } = how
  const started = runtime.now()
  for (let attempts = 1; ; attempts += 1) {
    if (signal?.aborted) throw reasonOf(signal)
    try {
      return { value: await attempt(), attempts }
    } catch (error) {
      if (error instanceof IntegrityError) error.attempts = attempts
      if (!how.safe || !mayPass(error) || attempts >= policy.maxAttempts) throw error
      const askedMs = error instanceof IntegrityError ? error.retryAfterMs : undefined
      const wait = backoffMs(attempts, { ...policy, random: runtime.random, askedMs })
      if (runtime.now() + wait - started > policy.maxElapsedMs) throw error
      await runtime.sleep(wait, signal)
    }
  }
}
