import type { Clock } from '../../shared/clock.ts'

/** How long the end of a lane waits for what may never answer. */
const endMs = 3000

/**
 * The work's result, or undefined once `signal` has been aborted for `ms`. Its later result or error is
 * ignored.
 */
export const unlessLate = async <T>(
  work: Promise<T>,
  signal: AbortSignal,
  clock: Clock,
  ms: number = endMs,
): Promise<T | undefined> => {
  work.catch(() => undefined)
  const over = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: over.signal })
  })
  const late = aborted.then(() => clock.sleep(ms, over.signal)).then(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
