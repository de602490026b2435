import { IntegrityApiError, IntegrityConnectionError, IntegrityError } from './errors.ts'
import type { Runtime } from './runtime.ts'

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
  if (error instanceof IntegrityConnectionError) return true
  if (!(error instanceof IntegrityApiError)) return false
  return passing.has(error.status) || (error.status === 409 && error.retryAfterMs !== undefined)
}

/**
 * Full jitter (Brooker, "Exponential Backoff and Jitter"): a random wait below a ceiling that doubles. After
 * `Retry-After`, at least that long and a little more, so that clients refused together do not come back together.
 */
export const backoffMs = (
  failures: number,
  policy: Pick<RetryPolicy, 'baseMs' | 'capMs'>,
  error: unknown,
  random: () => number,
): number => {
  const asked = error instanceof IntegrityApiError ? error.retryAfterMs : undefined
  if (asked !== undefined) return asked + random() * policy.baseMs
  return random() * Math.min(policy.capMs, policy.baseMs * 2 ** Math.min(failures - 1, 30))
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
    signal?.throwIfAborted()
    try {
      return { value: await attempt(), attempts }
    } catch (error) {
      if (error instanceof IntegrityError) error.attempts = attempts
      if (!how.safe || !mayPass(error) || attempts >= policy.maxAttempts) throw error
      const wait = backoffMs(attempts, policy, error, runtime.random)
      if (runtime.now() + wait - started > policy.maxElapsedMs) throw error
      await runtime.sleep(wait, signal)
    }
  }
}
