export interface BackoffOptions {
  /** The first wait is up to this long, each next one up to twice as long. Milliseconds. */
  readonly baseMs: number
  /** No wait of our own is longer. Milliseconds. */
  readonly capMs: number
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  /** Never sooner than this. Milliseconds. */
  readonly leastMs?: number
  /** What `Retry-After` asked for. Milliseconds. */
  readonly askedMs?: number | undefined
}

/**
 * How long to wait after so many failures in a row (from 1), milliseconds. Full jitter (Brooker, "Exponential Backoff and
 * Jitter", AWS 2015): random below a ceiling that doubles, so that those who failed together come back spread. After
 * `Retry-After` at least that long, and a little more for the same reason.
 */
export const backoffMs = (
  failures: number,
  { baseMs, capMs, random, leastMs = 0, askedMs }: BackoffOptions,
): number => {
  const chance = random()
  const own = chance * Math.min(capMs, baseMs * 2 ** Math.min(failures - 1, 30))
  return Math.max(leastMs, own, askedMs === undefined ? 0 : askedMs + chance * Math.min(baseMs, askedMs))
}

/** Of phones and rooms, which try for as long as an interview takes. */
export const deviceBackoff = { baseMs: 1_000, capMs: 30_000, leastMs: 100 } as const
