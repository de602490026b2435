/** An observation, as far as it takes to tell a state from an event. `at` in epoch milliseconds. */
export interface ToldObservation {
  readonly kind: string
  readonly at: number
  readonly data: unknown
}

const objectOf = (data: unknown): Readonly<Record<string, unknown>> =>
  typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {}

/** It was so before observing began. That is a state, and nothing that happened. */
export const wasSoBefore = (data: unknown): boolean => objectOf(data)['sinceBeforeSession'] === true

/** An agent that begins to observe has told how things are after so long, milliseconds. */
export const firstLookMs = 10_000

const factOf = ({ kind, data }: ToldObservation): string => JSON.stringify([kind, objectOf(data)['value']])

const byTime = (a: ToldObservation, b: ToldObservation): number => {
  if (a.at !== b.at) return a.at - b.at
  const [first, second] = [factOf(a), factOf(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

export interface States<Told> {
  /** What the first look found, in order of time. */
  readonly atStart: readonly Told[]
  /** What a later look, of an agent that came back, found as it was told before. */
  readonly repeated: readonly Told[]
}

/**
 * Of observations in any order, those that are states and no events. An agent that comes back looks again: what then differs
 * from all that was told before is an event.
 */
export const statesOf = <Told extends ToldObservation>(observations: readonly Told[]): States<Told> => {
  const told = observations.toSorted(byTime)
  const first = told.find(({ data }) => wasSoBefore(data))
  const atStart: Told[] = []
  const repeated: Told[] = []
  const fresh: Told[] = []
  const known = new Set<string>()
  for (const one of told) {
    const fact = factOf(one)
    if (wasSoBefore(one.data)) {
      if (known.has(fact)) repeated.push(one)
      else if (one.at - (first?.at ?? 0) <= firstLookMs) atStart.push(one)
      else fresh.push(one)
    }
    known.add(fact)
  }
  // An agent that came back repeats itself; a look without any repetition was the first of an observer that began late.
  const isOfSecondLook = ({ at }: Told) => repeated.some((one) => Math.abs(one.at - at) <= firstLookMs)
  return { atStart: [...atStart, ...fresh.filter((one) => !isOfSecondLook(one))], repeated }
}
