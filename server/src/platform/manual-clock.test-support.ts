import type { Clock } from './clock.ts'

export interface ManualClock extends Clock {
  /** Moves time; every sleep that is due by then ends, in order. */
  advance(ms: number): void
  /** Resolves as soon as `count` sleeps are waiting: tests wait for this instead of guessing. */
  asleep(count: number): Promise<void>
  readonly sleeping: number
}

interface Sleeper {
  readonly due: number
  readonly wake: () => void
}

/** A clock that stands still until a test moves it. */
export const createManualClock = (start = Date.parse('2026-09-04T10:00:00.000Z')): ManualClock => {
  let now = start
  const sleepers = new Set<Sleeper>()
  const watchers = new Set<() => void>()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const stop = () => {
          sleepers.delete(sleeper)
          reject(signal?.reason as Error)
        }
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', stop)
          resolve()
        }
        const sleeper = { due: now + ms, wake }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', stop, { once: true })
        for (const watcher of watchers) watcher()
      }),
    advance(ms) {
      now += ms
      const due = [...sleepers].filter((sleeper) => sleeper.due <= now).sort((a, b) => a.due - b.due)
      for (const sleeper of due) sleeper.wake()
    },
    asleep: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (sleepers.size < count) return
          watchers.delete(check)
          resolve()
        }
        watchers.add(check)
        check()
      }),
    get sleeping() {
      return sleepers.size
    },
  }
}
