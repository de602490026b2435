import { retryWaitsSeconds } from '@integrity/protocol'
import type { PostResult } from '../../../platform/http-out/http-out.ts'

/** Waits grow by up to this share, so that what failed together does not come back together. */
const jitter = 0.03

export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly waitMs: number }
  | { readonly kind: 'dead_letter' }

/**
 * What follows attempt number `attempt` (1 to 6). `random` is in [0, 1). The schedule is the interface's: no answer of a
 * receiver makes a wait longer or ends it, neither `Retry-After` nor 410. Never earlier than the schedule says.
 */
export const nextStep = (attempt: number, result: PostResult, random: number): NextStep => {
  if (result.outcome === 'success') return { kind: 'delivered' }
  const seconds = retryWaitsSeconds[attempt - 1]
  if (seconds === undefined) return { kind: 'dead_letter' }
  return { kind: 'retry', waitMs: Math.ceil(seconds * 1000 * (1 + jitter * random)) }
}
