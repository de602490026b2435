const firstMs = 1_000
const longestMs = 30_000

/**
 * How long to wait before the next attempt, milliseconds: doubling to half a minute, with equal jitter, so that all the
 * phones and rooms of an interview day do not come back in the same instant. Never shorter than what the service asked for.
 */
export const waitBefore = (attempt: number, random: () => number, askedMs = 0): number => {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10))
  return Math.max(askedMs, full / 2 + (random() * full) / 2)
}
