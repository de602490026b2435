import type { Clock } from '../clock.ts'

/** Length of a window; windows begin at multiples of it, so every process agrees on them. Milliseconds. */
export const windowMs = 60_000

export interface RateState {
  readonly limit: number
  /** Calls left in this window, never negative. */
  readonly remaining: number
  /** Whole seconds until the window ends, 1..60. */
  readonly resetSeconds: number
  /** `take`: whether this call fits; `peek`: whether a call would. */
  readonly allowed: boolean
}

/**
 * Port of a counter in fixed 60-second windows. A store outside the process (Redis, Postgres) answers with a
 * promise, so callers await either. A key is what is counted, a blank, and of whom: `reading org_…`.
 */
export interface RateCounter {
  /**
   * Counts one call of `key`, or what it costs. Whatever is left admits one more, however much that costs. A refused call
   * is not counted, so a caller that keeps trying is not punished further.
   */
  take(key: string, limit: number, cost?: number): RateState | Promise<RateState>
  /**
   * Counts so much more of `key`, also beyond a limit: what has been used already cannot be refused. Less than nothing gives
   * back what was taken in this window.
   */
  add(key: string, amount: number): void | Promise<void>
  /** The same answer without counting. */
  peek(key: string, limit: number): RateState | Promise<RateState>
}

export interface MemoryRateCounter extends RateCounter {
  take(key: string, limit: number, cost?: number): RateState
  add(key: string, amount: number): void
  peek(key: string, limit: number): RateState
  /** Number of keys held. */
  readonly size: number
}

/**
 * The counter for one process, in memory: exact, synchronous, forgotten at a restart. All windows end at the same
 * moment, so clearing one map at the first call of a window evicts everything without a timer.
 * At most `maxKeys` keys are held; beyond that the oldest key of the window is forgotten, which can only favour its owner.
 */
export const createRateCounter = (clock: Clock, maxKeys = 100_000): MemoryRateCounter => {
  const counts = new Map<string, number>()
  let window = 0

  /** Forgets what has expired; gives the milliseconds until the window ends. */
  const enterWindow = (): number => {
    const now = clock.now()
    const current = Math.floor(now / windowMs)
    if (current !== window) {
      counts.clear()
      window = current
    }
    return (current + 1) * windowMs - now
  }
  const state = (limit: number, count: number, allowed: boolean, leftMs: number): RateState => ({
    limit,
    remaining: Math.max(0, Math.floor(limit - count)),
    resetSeconds: Math.ceil(leftMs / 1000),
    allowed,
  })

  const count = (key: string, amount: number): number => {
    if (!counts.has(key) && counts.size >= maxKeys) {
      const oldest = counts.keys().next()
      if (!oldest.done) counts.delete(oldest.value)
    }
    const next = Math.max(0, (counts.get(key) ?? 0) + amount)
    counts.set(key, next)
    return next
  }

  return {
    take(key, limit, cost = 1) {
      const leftMs = enterWindow()
      const before = counts.get(key) ?? 0
      if (before >= limit) return state(limit, before, false, leftMs)
      return state(limit, count(key, cost), true, leftMs)
    },
    add(key, amount) {
      enterWindow()
      count(key, amount)
    },
    peek(key, limit) {
      const leftMs = enterWindow()
      const before = counts.get(key) ?? 0
      return state(limit, before, before < limit, leftMs)
    },
    get size() {
      return counts.size
    },
  }
}
