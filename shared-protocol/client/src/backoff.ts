export interface BackoffOptions {
  /** The first wait is up to this long, each next one up to twice as long. Milliseconds. */
  readonly baseMs: number
  /** No wait of our own is longer. Milliseconds. */
  readonly capMs: number
  /** From 0 up to, but not including, 1. */
  readonly random?: (() => number) | undefined
  /** Never sooner than this. Milliseconds. */
  readonly leastMs?: number
  /** What `Retry-After` asked for. Milliseconds. */
  readonly askedMs?: number | undefined
}

/**
 * How long to wait after so many failures in a row (from 1), milliseconds. Full jitter (Brooker, "Exponential Backoff and
 * Jitter", AWS 2015): random below a ceiling that doubles, so that those who failed together come back spread; after
 * `Retry-After`, that long and the jitter on top of it.
 */
export const backoffMs = (
  failures: number,
  { baseMs, capMs, random = Math.random, leastMs = 0, askedMs = 0 }: BackoffOptions,
): number => Math.max(leastMs, askedMs + random() * Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30)))

/** Of phones and rooms, which try for as long as an interview takes. */
export const deviceBackoff = { baseMs: 1_000, capMs: 30_000, leastMs: 100 } as const
