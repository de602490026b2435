import { maxAttempts, retryWaitsSeconds } from '@integrity/protocol'
import type { PostResult } from '../../platform/http-out/http-out.ts'

/** A receiver may ask for a longer wait than the schedule's, up to this. */
const maxRetryAfterMs = 24 * 3_600_000
/** Waits grow by up to this share, so that what failed together does not come back together. */
const jitter = 0.03

export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly waitMs: number }
  /** `gone`: the receiver answered 410 and wants nothing more. */
  | { readonly kind: 'dead_letter'; readonly gone: boolean }

/** What follows attempt number `attempt` (1 to 6). `random` is in [0, 1). Never earlier than the schedule says. */
export const nextStep = (attempt: number, result: PostResult, random: number): NextStep => {
  if (result.outcome === 'success') return { kind: 'delivered' }
  if (result.statusCode === 410) return { kind: 'dead_letter', gone: true }
  const seconds = attempt >= maxAttempts ? undefined : retryWaitsSeconds[attempt - 1]
  if (seconds === undefined) return { kind: 'dead_letter', gone: false }
  const asked = result.statusCode === 429 || result.statusCode === 503 ? (result.retryAfterMs ?? 0) : 0
  const wait = Math.max(seconds * 1000, Math.min(asked, maxRetryAfterMs))
  return { kind: 'retry', waitMs: Math.ceil(wait + seconds * 1000 * jitter * random) }
}
