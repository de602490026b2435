import { hash } from 'node:crypto'
import { idFromBytes, type MomentRuleName, momentEventsOfKind, momentRuleNames, momentRules } from '@integrity/protocol'
import { momentFinders } from './moments.finders.model.ts'
import type { FactEvent, Moment, MomentFacts } from './moments.types.ts'

/** The same fact of the same session is the same moment, whoever asks and when. */
export const momentIdOf = (sessionId: string, { rule, key }: Pick<Moment, 'rule' | 'key'>): string =>
  idFromBytes('mom', hash('sha256', JSON.stringify([sessionId, rule, key]), 'buffer').subarray(0, 16))

/** Of the moment, and of each fact that is part of it. */
export const momentIdsOf = (sessionId: string, { rule, key, parts = [] }: Moment): string[] =>
  [key, ...parts].map((one) => momentIdOf(sessionId, { rule, key: one }))

const earliest = (a: FactEvent, b: FactEvent): number => a.at - b.at || (a.id < b.id ? -1 : 1)

/** In the order of time; of one instant in the order of the rules. */
const placed = (moments: readonly Moment[]): Moment[] => {
  const rank = new Map(momentRuleNames.map((rule, index) => [rule, index]))
  const place = (moment: Moment) => rank.get(moment.rule) ?? 0
  return moments.toSorted((a, b) => a.at - b.at || place(a) - place(b) || (a.key < b.key ? -1 : 1))
}

export interface FoundMoments {
  readonly moments: readonly Moment[]
  /** Rules that did not look at everything. */
  readonly incomplete: ReadonlySet<MomentRuleName>
}

/** Every moment of a session. */
export const findMoments = (facts: MomentFacts): FoundMoments => {
  const incomplete = new Set<MomentRuleName>()
  const events = [...Map.groupBy(facts.events, ({ kind }) => kind)].flatMap(([kind, told]) => {
    if (told.length > momentEventsOfKind)
      for (const rule of momentRuleNames)
        if ((momentRules[rule].kinds as readonly string[]).includes(kind)) incomplete.add(rule)
    return told.toSorted(earliest).slice(0, momentEventsOfKind)
  })
  const moments = momentRuleNames.flatMap((rule) => {
    const found = momentFinders[rule]({ ...facts, events })
    if (rule === 'lane_gap' || found.length <= momentEventsOfKind) return found.map((one) => ({ ...one, rule }))
    incomplete.add(rule)
    return found
      .toSorted((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1))
      .slice(0, momentEventsOfKind)
      .map((one) => ({ ...one, rule }))
  })
  return { moments: placed(moments), incomplete }
}
