import { uptime } from 'node:os'
import { type Clock, systemClock } from './clock.ts'

/** Sleep shorter than this is within what the two counters differ by anyway. */
const leastSleepMs = 1000
/** Differences below this are the network's. */
const leastErrorMs = 250

export interface ServiceClock extends Clock {
  /**
   * Takes what the service said its time was at `monotonicMs` of this clock, give or take `uncertaintyMs`. Gives by
   * how much `wallMs` was moved, or undefined when it was near enough.
   */
  correct(serviceMs: number, monotonicMs: number, uncertaintyMs: number): number | undefined
  /** How far the computer's own clock is ahead of this one, in ms. */
  aheadMs(): number
}

const realUptimeMs = (): number => uptime() * 1000

/**
 * The service's time on a computer whose clock may be wrong by a day or be set while a session runs: it starts from
 * the computer's clock, is corrected by the service's answers, and in between goes by the monotonic clock and by the
 * time since the machine was switched on, which also counts while the machine sleeps. `uptimeMs` is that counter.
 */
export const createServiceClock = (
  base: Clock = systemClock,
  uptimeMs: () => number = base === systemClock ? realUptimeMs : () => base.monotonicMs(),
): ServiceClock => {
  let wall = base.wallMs()
  let mono = base.monotonicMs()
  let up = uptimeMs()

  /** Carries the time on to now. */
  const now = (): number => {
    const awake = base.monotonicMs() - mono
    const slept = uptimeMs() - up - awake
    if (slept >= leastSleepMs) {
      wall += slept
      up += slept
    }
    return wall + awake
  }

  return {
    wallMs: now,
    monotonicMs: () => base.monotonicMs(),
    sleep: (ms, signal) => base.sleep(ms, signal),
    aheadMs: () => base.wallMs() - now(),
    correct: (serviceMs, monotonicMs, uncertaintyMs) => {
      const current = now()
      const right = serviceMs + (base.monotonicMs() - monotonicMs)
      const error = right - current
      if (Math.abs(error) < Math.max(leastErrorMs, uncertaintyMs)) return undefined
      wall = right
      mono = base.monotonicMs()
      up = uptimeMs()
      return error
    },
  }
}
