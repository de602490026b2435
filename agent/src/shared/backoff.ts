export type BackoffOptions = { baseMs: number; capMs: number; random?: () => number }

/**
 * Exponential backoff with equal jitter: the wait for try `attempt` (from 0) lies between one half of
 * min(cap, base·2^attempt) and all of it, in milliseconds.
 */
export const backoffMs = (attempt: number, { baseMs, capMs, random = Math.random }: BackoffOptions): number => {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30))
  return ceiling / 2 + random() * (ceiling / 2)
}
