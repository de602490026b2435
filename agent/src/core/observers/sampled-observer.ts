import type { ObserverName } from '@integrity/protocol'
import { type Clock, systemClock } from '../../shared/clock.ts'
import type { Change, Difference, Observability, Observer, ObserverWay } from './types.ts'

/** More changes than this in a minute are no longer told one by one: the observer stops, which is a gap, and tries again. */
const mostChanges = 300
const windowMs = 60_000

/**
 * Where states come from: calls `see` with the first state and then with each new one, until `signal` aborts; rejects
 * when it can no longer see.
 */
export type Source<State> = (see: (state: State) => void, signal: AbortSignal) => Promise<void>

export interface SampledObserverOptions<State> {
  name: ObserverName
  version: number
  /** Its row of the published table. */
  way: ObserverWay
  /** Instead of the table's interval. */
  intervalMs?: number | undefined
  probe: () => Promise<Observability>
  source: Source<State>
  /** What holds at the beginning. */
  initial: (state: State) => Difference[]
  /** What is different now. */
  changes: (before: State, now: State) => Difference[]
  /** The state at the beginning as it is sent along with each later change; by default the state itself. */
  baseline?: (state: State) => unknown
  clock?: Clock | undefined
}

/** An observer that compares each state it sees with the one before. */
export const createSampledObserver = <State>(options: SampledObserverOptions<State>): Observer => {
  const { name, version, way, probe, source, clock = systemClock, baseline = (state) => state } = options
  return {
    name,
    version,
    method: way.method,
    intervalMs: options.intervalMs ?? way.intervalMs,
    probe,
    start: async (emit, signal) => {
      const flooded = new AbortController()
      let first: { state: State } | undefined
      let before: State
      let told = { since: clock.monotonicMs(), count: 0 }
      const tell = (change: Change): void => {
        if (clock.monotonicMs() - told.since > windowMs) told = { since: clock.monotonicMs(), count: 0 }
        told.count += 1
        if (told.count > mostChanges) flooded.abort()
        else emit(change)
      }
      const see = (now: State): void => {
        if (first) {
          const held = baseline(first.state)
          for (const change of options.changes(before, now)) tell({ ...change, baseline: held })
        } else {
          first = { state: now }
          for (const change of options.initial(now)) tell({ ...change, sinceBeforeSession: true })
        }
        before = now
      }
      await source(see, AbortSignal.any([signal, flooded.signal]))
      if (flooded.signal.aborted) throw new Error('more changes in a minute than can be told one by one')
    },
  }
}

/** Looks at an interval. */
export const polled =
  <State>(read: () => Promise<State>, intervalMs: number, clock: Clock = systemClock): Source<State> =>
  async (see, signal) => {
    while (!signal.aborted) {
      see(await read())
      await clock.sleep(intervalMs, signal)
    }
  }

/** Resolves when the signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Whether one look succeeds; `sentence` is for the candidate. */
export const probeByReading = (read: () => Promise<unknown>, sentence: string) => async (): Promise<Observability> => {
  try {
    await read()
    return { status: 'observable' }
  } catch {
    return { status: 'not_observable', why: sentence }
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
