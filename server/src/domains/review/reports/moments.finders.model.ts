import type { MomentRuleName } from '@integrity/protocol'
import { laneGaps } from './moments.gaps.model.ts'
import type { FactEvent, Finding, MomentFacts } from './moments.types.ts'

type Data = Readonly<Record<string, unknown>>

const byTime = (a: FactEvent, b: FactEvent): number => a.at - b.at || (a.id < b.id ? -1 : 1)
const ofKind = ({ events }: MomentFacts, kind: string): FactEvent[] =>
  events.filter((event) => event.kind === kind).sort(byTime)
const objectOf = (value: unknown): Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {}
const seenIn = (event: FactEvent): Data => objectOf(event.data['value'])

/** What the observer said of the time before; null where it said nothing. */
const atStartOf = ({ data }: FactEvent): Finding['atStart'] => {
  const { baseline, sinceBeforeSession } = data
  if (baseline === undefined && sinceBeforeSession === undefined) return null
  return { sinceBeforeSession: sinceBeforeSession === true, ...(baseline !== undefined && { baseline }) }
}

const findingOf = (event: FactEvent, untilAt: number | null = null): Finding => ({
  key: event.id,
  lanes: ['signals'],
  at: event.at,
  untilAt,
  reading: { eventId: event.id, kind: event.kind, source: event.source, data: event.data },
  atStart: atStartOf(event),
})

/** What an event is about, where it says all of it. */
const subjectOf = (event: FactEvent, names: readonly string[]): string | undefined => {
  const said = names.map((name) => seenIn(event)[name])
  return said.every((one) => one === undefined) ? undefined : JSON.stringify(said)
}

/** Until the next event that says the same subject is over. */
const untilOver = (
  facts: MomentFacts,
  endKind: string,
  names: readonly string[],
): ((event: FactEvent) => number | null) => {
  const ends = Map.groupBy(ofKind(facts, endKind), (event) => subjectOf(event, names))
  return (event) => {
    const subject = subjectOf(event, names)
    if (subject === undefined) return null
    return ends.get(subject)?.find(({ at }) => at >= event.at)?.at ?? null
  }
}

/** Changes of what a phone says of how it stands, once it has said so. */
const turns = ({ phones }: MomentFacts): Finding[] =>
  phones.flatMap(({ pairedAt, beats }) => {
    const said = beats
      .filter(({ orientation }) => orientation !== null)
      .toSorted((a, b) => a.at - b.at || (a.orientation! < b.orientation! ? -1 : 1))
    return said.flatMap(({ at, orientation }, n) => {
      const before = said[n - 1]
      if (!before || before.orientation === orientation) return []
      return {
        key: `${pairedAt} ${at} ${orientation}`,
        lanes: ['side_view'],
        at,
        untilAt: null,
        reading: { orientation, before: before.orientation },
        atStart: { orientation: said[0]?.orientation ?? null },
      }
    })
  })

/** What each published rule finds, at most once for each fact. */
export const momentFinders: Readonly<Record<MomentRuleName, (facts: MomentFacts) => Finding[]>> = {
  lane_gap: laneGaps,
  display_connected: (facts) => ofKind(facts, 'display.added').map((event) => findingOf(event)),
  display_disconnected: (facts) => ofKind(facts, 'display.removed').map((event) => findingOf(event)),
  listed_program: (facts) => {
    const until = untilOver(facts, 'process.ended', ['program', 'process'])
    return ofKind(facts, 'process.matched').map((event) => findingOf(event, until(event)))
  },
  virtual_device: (facts) => {
    const until = untilOver(facts, 'device.removed', ['kind', 'name'])
    return ofKind(facts, 'device.added')
      .filter((event) => Object.keys(objectOf(seenIn(event)['listed'])).length > 0)
      .map((event) => findingOf(event, until(event)))
  },
  virtual_machine: (facts) => ofKind(facts, 'vm.hint').map((event) => findingOf(event)),
  clock_jump: (facts) => ofKind(facts, 'clock.jumped').map((event) => findingOf(event)),
  hidden_window: (facts) => {
    const until = untilOver(facts, 'window.exclusion_ended', ['application', 'bounds'])
    return ofKind(facts, 'window.exclusion_started').map((event) => findingOf(event, until(event)))
  },
  phone_moved: turns,
  synthetic_input: (facts) => {
    const minutes = ofKind(facts, 'input.origin')
    // A minute is told of at its end; a few seconds pass between two.
    const follows = (n: number): boolean => n > 0 && minutes[n]!.at - minutes[n - 1]!.at <= 70_000
    return minutes.flatMap((event, n) => {
      if (follows(n)) return []
      let last = n
      while (last + 1 < minutes.length && follows(last + 1)) last += 1
      return [findingOf(event, last === n ? null : minutes[last]!.at)]
    })
  },
  remote_session: (facts) => {
    const until = untilOver(facts, 'remote_session.ended', ['from', 'value'])
    return ofKind(facts, 'remote_session.started').map((event) => findingOf(event, until(event)))
  },
  speakers_recorded: (facts) => {
    const until = untilOver(facts, 'listener.ended', ['program', 'process', 'of', 'device'])
    return ofKind(facts, 'listener.started')
      .filter((event) => seenIn(event)['of'] === 'speakers')
      .map((event) => findingOf(event, until(event)))
  },
}
