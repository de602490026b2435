import { setImmediate as turn } from 'node:timers/promises'
import type { Clock } from '../../src/shared/clock.ts'

export type ManualClock = Clock & {
  /** Moves both clocks, waking sleepers in order and letting their work run between. */
  advance(ms: number): Promise<void>
  /** Moves the wall clock alone, as a clock set by hand or a suspended machine does. */
  jumpWall(ms: number): void
}

interface Sleeper {
  due: number
  wake: () => void
}

/** Lets everything that is ready to run, run. */
export const settle = async (): Promise<void> => {
  for (let i = 0; i < 20; i += 1) await turn()
}

export const manualClock = (startWallMs = 1_800_000_000_000): ManualClock => {
  let wall = startWallMs
  let monotonic = 0
  const sleepers = new Set<Sleeper>()

  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const sleeper: Sleeper = {
        due: monotonic + ms,
        wake: () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', sleeper.wake)
          resolve()
        },
      }
      sleepers.add(sleeper)
      signal?.addEventListener('abort', sleeper.wake, { once: true })
    })

  const advance = async (ms: number): Promise<void> => {
    const end = monotonic + ms
    await settle()
    for (;;) {
      const next = [...sleepers].sort((a, b) => a.due - b.due)[0]
      if (!next || next.due > end) break
      wall += Math.max(0, next.due - monotonic)
      monotonic = Math.max(monotonic, next.due)
      next.wake()
      await settle()
    }
    wall += end - monotonic
    monotonic = end
  }

  return {
    wallMs: () => wall,
    monotonicMs: () => monotonic,
    sleep,
    advance,
    jumpWall: (ms) => {
      wall += ms
    },
  }
}
