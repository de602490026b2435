import { uptime } from 'node:os'
import { wayOf } from '../../core/observers/observer-table.ts'
import { createSampledObserver, polled } from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import { systemClock } from '../../shared/clock.ts'
import type { ObserverOptions } from './observer-options.ts'

/** Corrections by time synchronisation stay below this. */
const leastJumpMs = 2000

export type ClockJumpOptions = ObserverOptions & {
  /** Milliseconds of a clock that nobody sets and that goes on while the machine sleeps; by default the time since its start. */
  steadyMs?: () => number
}

/** The wall clock being set, by hand or by the network. Sleep is no jump: both clocks go on meanwhile. */
export const createClockObserver = (options: ClockJumpOptions = {}): Observer => {
  const { clock = systemClock, platform = thisPlatform(), steadyMs = () => uptime() * 1000 } = options
  const way = wayOf('clock', platform)
  const offset = async (): Promise<number> => clock.wallMs() - steadyMs()
  return createSampledObserver<number>({
    name: 'clock',
    version: 2,
    way,
    intervalMs: options.intervalMs,
    clock,
    probe: async () => ({ status: 'observable' }),
    source: polled(offset, options.intervalMs ?? way.intervalMs, clock),
    initial: () => [],
    baseline: () => undefined,
    // Each look is compared with the one before, so that slow drift never adds up to a jump.
    changes: (before, now) => {
      const jumpMs = Math.round(now - before)
      return Math.abs(jumpMs) >= leastJumpMs ? [{ kind: 'clock.jumped', value: { jumpMs } }] : []
    },
  })
}
