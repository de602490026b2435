import type { Clock } from '../../../shared/clock.ts'
import { createObserverSet } from '../observer-set.ts'
import type { Observation, Observer, ObserverGap } from '../types.ts'

/** Runs observers and keeps what they say. Waits after a failure are half of what they are at most. */
export const watch = (observers: Observer[], clock?: Clock) => {
  const seen: Observation[] = []
  const gaps: ObserverGap[] = []
  const set = createObserverSet({
    observers,
    clock,
    random: () => 0,
    emit: (observation) => {
      seen.push(observation)
    },
    onGap: (gap) => {
      gaps.push(gap)
    },
  })
  set.start()
  const kinds = (): string[] => seen.map(({ kind }) => kind)
  /** The observations of one kind, without the baseline's. */
  const changes = (kind: string): Observation[] =>
    seen.filter((one) => one.kind === kind && !one.data.sinceBeforeSession)
  return { seen, gaps, set, kinds, changes }
}
