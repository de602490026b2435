import type { Clock } from '../clock.ts'
import { createAsking } from './count-asking.ts'
import { type RateCounter, type RateState, windowMs } from './rate-counter.ts'
import { aheadPart, type CountAsk, type SharedCounts } from './shared-counts.types.ts'
import type { SharedLink } from './shared-link.ts'

/** What this process knows of a key in this window. */
interface Tally {
  /** Granted to this process and not used yet; below zero: used and not counted by all yet. */
  left: number
  /** Counted by all processes when they were last asked. */
  used: number
  /** By this process alone. */
  here: number
  /** When all were asked; a look that is younger is good enough while there is plenty. */
  askedAt: number
}

/** How old a look may be that found less than half of the limit used. */
const freshMs = 1000

export interface SharedRateOptions {
  readonly clock: Clock
  readonly counts: SharedCounts
  readonly link: SharedLink
  /** What stands for a key outside of this process. */
  readonly fingerprint: (key: string) => string
  /** How many processes divide a ceiling while they cannot count together. */
  readonly processes: () => number
  readonly maxKeys?: number
}

const createTallies = (clock: Clock, maxKeys: number) => {
  const tallies = new Map<string, Tally>()
  let window = 0
  return {
    window: () => window,
    /** Forgets a minute that is over; what time it is. */
    enter: (): number => {
      const now = clock.now()
      const current = Math.floor(now / windowMs)
      if (current !== window) tallies.clear()
      window = current
      return now
    },
    tallyOf: (key: string): Tally => {
      const known = tallies.get(key)
      if (known) return known
      if (tallies.size >= maxKeys) tallies.delete(tallies.keys().next().value!)
      const fresh = { left: 0, used: 0, here: 0, askedAt: Number.NEGATIVE_INFINITY }
      tallies.set(key, fresh)
      return fresh
    },
  }
}

const stateOf = (now: number, limit: number, remaining: number, allowed: boolean): RateState => ({
  limit,
  remaining: Math.max(0, Math.floor(remaining)),
  resetSeconds: Math.ceil((windowMs - (now % windowMs)) / 1000),
  allowed,
})

const spend = (tally: Tally, cost: number): void => {
  tally.left -= cost
  tally.here += cost
}

/** Pays what was used without a grant, too. */
const costOf = (tally: Tally, cost: number): number => cost + Math.max(0, -tally.left)

/** What was counted, and spent here where it was within this process's share. */
const ownShareOf = (
  { clock, processes }: Pick<SharedRateOptions, 'clock' | 'processes'>,
  tally: Tally,
  { limit, cost }: { readonly limit: number; readonly cost: number },
): RateState => {
  const share = Math.ceil(limit / processes())
  const allowed = tally.here < share && tally.used - tally.left < limit
  if (allowed) spend(tally, cost)
  return stateOf(clock.now(), limit, Math.min(share - tally.here, limit - tally.used + tally.left), allowed)
}

/** Told to all with the next question. What was taken in a minute that is over is not given back. */
const give = (tally: Tally, amount: number): void => spend(tally, Math.max(amount, Math.min(0, -tally.here)))

/**
 * Counts together with other processes. Most calls are counted from what was granted ahead, without a question; in all
 * processes together never more than the limit fits. While the shared memory is away, each process goes on with its share
 * of the limit, and what it let through meanwhile is counted by all when the memory is back.
 */
export const createSharedRateCounter = (options: SharedRateOptions): RateCounter => {
  const { clock, fingerprint, maxKeys = 100_000 } = options
  const { enter, tallyOf, window } = createTallies(clock, maxKeys)
  const ask = createAsking(options, window)
  const shared = ({ left, used }: Tally, limit: number, allowed = used - left < limit) =>
    stateOf(clock.now(), limit, limit - used + left, allowed)
  const learn = async (key: string, tally: Tally, wanted: Omit<CountAsk, 'key'>): Promise<void> => {
    const asked = window()
    const { used, granted } = await ask({ key: fingerprint(key), ...wanted })
    if (asked !== window()) return
    tally.left += granted
    tally.used = Math.max(tally.used, used)
    tally.askedAt = clock.now()
  }

  const take = async (key: string, limit: number, cost: number): Promise<RateState> => {
    for (;;) {
      enter()
      const tally = tallyOf(key)
      if (tally.left > 0) {
        spend(tally, cost)
        return shared(tally, limit, true)
      }
      if (tally.used >= limit) return shared(tally, limit, false)
      try {
        const least = costOf(tally, cost)
        await learn(key, tally, { limit, cost: least, least, ahead: Math.floor(limit / aheadPart) })
      } catch {
        return ownShareOf(options, tallyOf(key), { limit, cost })
      }
    }
  }

  return {
    take(key, limit, cost = 1) {
      enter()
      const tally = tallyOf(key)
      if (tally.left <= 0 && tally.used < limit) return take(key, limit, cost)
      const allowed = tally.left > 0
      if (allowed) spend(tally, cost)
      return shared(tally, limit, allowed)
    },
    add(key, amount) {
      enter()
      give(tallyOf(key), amount)
    },
    peek(key, limit) {
      const now = enter()
      const tally = tallyOf(key)
      const fresh = Math.abs(now - tally.askedAt) < freshMs && tally.used - tally.left < limit / 2
      if (tally.left > 0 || tally.used >= limit || fresh) return shared(tally, limit)
      const cost = costOf(tally, 0)
      return learn(key, tally, { limit, cost, least: cost, ahead: 0 }).then(
        () => shared(tally, limit),
        () => ownShareOf(options, tally, { limit, cost: 0 }),
      )
    },
  }
}
