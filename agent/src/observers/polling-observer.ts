import { type Clock, systemClock } from '../shared/clock.ts'
import type { Change, Observability, Observer } from './types.ts'

export type PollingObserverOptions<State> = {
  name: string
  version: number
  method: string
  intervalMs: number
  probe: () => Promise<Observability>
  /** Looks once; throws when it cannot. */
  read: () => Promise<State>
  /** What holds at the beginning. */
  initial: (state: State) => Change[]
  /** What is different now. */
  changes: (before: State, now: State, baseline: State) => Change[]
  clock?: Clock
}

/** An observer that looks at an interval and reports differences. */
export const createPollingObserver = <State>(options: PollingObserverOptions<State>): Observer => {
  const { name, version, method, intervalMs, probe, read, clock = systemClock } = options
  return {
    name,
    version,
    method,
    intervalMs,
    probe,
    start: async (emit, signal) => {
      const baseline = await read()
      for (const change of options.initial(baseline)) emit({ ...change, sinceBeforeSession: true })
      let before = baseline
      for (;;) {
        await clock.sleep(intervalMs, signal)
        if (signal.aborted) return
        const now = await read()
        for (const change of options.changes(before, now, baseline)) emit(change)
        before = now
      }
    },
  }
}

/** The entries of a keyed list that came, went, or changed. */
export const keyedDifference = <T>(before: Map<string, T>, now: Map<string, T>) => ({
  added: [...now].filter(([key]) => !before.has(key)).map(([, value]) => value),
  removed: [...before].filter(([key]) => !now.has(key)).map(([, value]) => value),
  changed: [...now]
    .filter(([key, value]) => before.has(key) && JSON.stringify(before.get(key)) !== JSON.stringify(value))
    .map(([key, value]) => ({ before: before.get(key)!, now: value })),
})
