export interface JitterOptions {
  readonly baseMs: number
  readonly capMs: number
  readonly random: () => number
}

/**
 * Exponential backoff with full jitter (Brooker, "Exponential Backoff And Jitter", AWS 2015): the wait before try
 * `attempt` (from 0) is uniform in 0 … min(cap, base·2^attempt), in milliseconds. Many agents of one interview day spread best this way.
 */
export const fullJitterMs = (attempt: number, { baseMs, capMs, random }: JitterOptions): number =>
  random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt, 30))
