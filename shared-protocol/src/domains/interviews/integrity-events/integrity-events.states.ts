import type { ObservationKind } from './integrity-events.observations.ts'

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

/** What comes and goes: by which names of its value one is told from another, and the kind that says that it is gone. */
const comings: Partial<
  Record<ObservationKind, { readonly names: readonly string[]; readonly until: ObservationKind }>
> = {
  'display.added': { names: ['id'], until: 'display.removed' },
  'device.added': { names: ['kind', 'name'], until: 'device.removed' },
  'process.matched': { names: ['program', 'process'], until: 'process.ended' },
  'listener.started': { names: ['program', 'process', 'of', 'device'], until: 'listener.ended' },
  'window.exclusion_started': { names: ['application', 'bounds'], until: 'window.exclusion_ended' },
  'remote_session.started': { names: ['from', 'value'], until: 'remote_session.ended' },
  'picture.unchanged_started': { names: ['lane'], until: 'picture.unchanged_ended' },
  'idle.started': { names: [], until: 'idle.ended' },
  'screen.locked': { names: [], until: 'screen.unlocked' },
}
/** Each of these says how it is now, whatever one said before. */
const replacing: ReadonlySet<string> = new Set<ObservationKind>([
  ...(['foreground.changed', 'network.changed', 'output.changed', 'hid.changed', 'display.identified'] as const),
])
const endings = new Map(
  Object.entries(comings).map(([begins, { names, until }]) => [until as string, { begins, names }] as const),
)

/** The kinds that tell whether something that a kind said is still so: itself, and what ends it. */
export const kindsAbout = (kind: string): readonly string[] => {
  const until = comings[kind as ObservationKind]?.until
  return until ? [kind, until] : [kind]
}

const subjectOf = (kind: string, names: readonly string[], data: unknown): string => {
  const value = objectOf(objectOf(data)['value'])
  return JSON.stringify([kind, ...names.map((name) => value[name])])
}
const valueIn = (data: unknown): string => JSON.stringify(objectOf(data)['value'])

/** What is known to be so after observations in order of time. */
export interface KnownStates {
  /** Whether what an observation says was so already, by what was told before it. */
  readonly has: (told: Pick<ToldObservation, 'kind' | 'data'>) => boolean
  readonly tell: (told: Pick<ToldObservation, 'kind' | 'data'>) => void
}

/** Begins with nothing known. */
export const createKnownStates = (): KnownStates => {
  /** How many there are of each that came, or said to be so for good. */
  const there = new Map<string, number>()
  const last = new Map<string, string>()
  const keyOf = (kind: string, data: unknown): string => {
    const names = comings[kind as ObservationKind]?.names
    return names ? subjectOf(kind, names, data) : JSON.stringify([kind, valueIn(data)])
  }
  return {
    has: ({ kind, data }) =>
      replacing.has(kind) ? last.get(kind) === valueIn(data) : (there.get(keyOf(kind, data)) ?? 0) > 0,
    tell: ({ kind, data }) => {
      // Only the newest of what replaces each other: there are as many as titles of windows.
      if (replacing.has(kind)) {
        last.set(kind, valueIn(data))
        return
      }
      const ended = endings.get(kind)
      const key = ended ? subjectOf(ended.begins, ended.names, data) : keyOf(kind, data)
      there.set(key, Math.max(0, (there.get(key) ?? 0) + (ended ? -1 : 1)))
    },
  }
}

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
 * from what was so by all that was told before is an event.
 */
export const statesOf = <Told extends ToldObservation>(observations: readonly Told[]): States<Told> => {
  const told = observations.toSorted(byTime)
  const first = told.find(({ data }) => wasSoBefore(data))
  const atStart: Told[] = []
  const repeated: Told[] = []
  const fresh: Told[] = []
  const known = createKnownStates()
  for (const one of told) {
    const isFirstLook = one.at - (first?.at ?? 0) <= firstLookMs
    const isKnown = wasSoBefore(one.data) && known.has(one)
    if (isKnown) repeated.push(one)
    else if (wasSoBefore(one.data)) (isFirstLook ? atStart : fresh).push(one)
    // Two devices of one name are two at the first look; a later look counts nothing again.
    if (!isKnown || isFirstLook) known.tell(one)
  }
  // An agent that came back repeats itself; a look without any repetition was the first of an observer that began late.
  const isOfSecondLook = ({ at }: Told) => repeated.some((one) => Math.abs(one.at - at) <= firstLookMs)
  return { atStart: [...atStart, ...fresh.filter((one) => !isOfSecondLook(one))], repeated }
}
