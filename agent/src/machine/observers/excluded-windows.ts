import { createAbsentObserver } from '../../core/observers/not-observable.ts'
import { findWay } from '../../core/observers/observer-table.ts'
import { createSampledObserver, keyedDifference } from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import { systemClock } from '../../shared/clock.ts'
import type { HelperState } from '../desktop-helper/helper-lines.ts'
import { helperFed } from './helper-fed.ts'
import type { ObserverOptions } from './observer-options.ts'

type ExcludedWindow = HelperState<'windows'>['excluded'][number] & { since: number }

const notTold = 'Windows that programs keep out of recordings cannot be seen: the system does not list them.'

/** Application and bounds, in the system's own units. The window's number stays on this device. */
const described = ({ application, x, y, width, height }: ExcludedWindow) => ({
  application,
  bounds: { x, y, width, height },
})

/**
 * Windows that their program keeps out of recordings: whose, where, how long. Password managers and players of rented
 * films do so too; nothing is inferred, and no window is touched.
 */
export const createExcludedWindowsObserver = (options: ObserverOptions = {}): Observer => {
  const { clock = systemClock, helper, platform = thisPlatform() } = options
  const way = findWay('excluded_windows', platform, false)
  if ('why' in way) return createAbsentObserver('excluded_windows', 'none', way.why)
  const since = new Map<string, number>()
  return createSampledObserver<Map<string, ExcludedWindow>>({
    name: 'excluded_windows',
    version: 1,
    way,
    clock,
    ...helperFed(helper, 'windows', notTold, ({ excluded }) => {
      const now = clock.monotonicMs()
      const keys = new Set(excluded.map(({ key }) => key))
      for (const key of [...since.keys()]) if (!keys.has(key)) since.delete(key)
      for (const key of keys) if (!since.has(key)) since.set(key, now)
      return new Map(excluded.map((window) => [window.key, { ...window, since: since.get(window.key) ?? now }]))
    }),
    initial: (state) =>
      [...state.values()].map((window) => ({ kind: 'window.exclusion_started', value: described(window) })),
    baseline: (state) => [...state.values()].map(described),
    changes: (before, now) => {
      // A window that only moved is neither new nor gone.
      const { added, removed } = keyedDifference(before, now)
      const durationMs = ({ since: from }: ExcludedWindow): number => Math.round(clock.monotonicMs() - from)
      return [
        ...added.map((window) => ({ kind: 'window.exclusion_started' as const, value: described(window) })),
        ...removed.map((window) => ({
          kind: 'window.exclusion_ended' as const,
          value: { ...described(window), durationMs: durationMs(window) },
        })),
      ]
    },
  })
}
