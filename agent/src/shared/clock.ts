import { setTimeout as delay } from 'node:timers/promises'

/**
 * Time as a dependency. `wallMs` is epoch milliseconds and may jump; `monotonicMs` never goes back and is what
 * every time-out is measured with.
 */
export interface Clock {
  wallMs(): number
  monotonicMs(): number
  /** Resolves after `ms`, or at once when `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : undefined)
    } catch {
      // aborted: the caller looks at its own signal
    }
  },
}
