import { type Clock, systemClock } from '../shared/clock.ts'
import type { Observer } from './types.ts'

/** Corrections by time synchronisation stay below this. */
const JUMP_MS = 2000

export type ClockJumpOptions = { clock?: Clock; intervalMs?: number }

/** The wall clock moving apart from the monotonic one: set by hand or by the network, or the machine slept. */
export const createClockObserver = ({ clock = systemClock, intervalMs = 5000 }: ClockJumpOptions = {}): Observer => ({
  name: 'clock',
  version: 1,
  method: 'wall clock against monotonic clock',
  intervalMs,
  probe: async () => ({ status: 'observable' }),
  start: async (emit, signal) => {
    const offset = (): number => clock.wallMs() - clock.monotonicMs()
    let before = offset()
    for (;;) {
      await clock.sleep(intervalMs, signal)
      if (signal.aborted) return
      const now = offset()
      const jumpMs = Math.round(now - before)
      // Slow drift moves the reference too, so that it never adds up to a jump.
      before = now
      if (Math.abs(jumpMs) >= JUMP_MS) emit({ kind: 'clock.jumped', value: { jumpMs } })
    }
  },
})
