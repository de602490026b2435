import {
  type MomentRule,
  type MomentRuleName,
  momentChoiceText,
  momentRuleNames,
  momentRules,
} from '@integrity/protocol'
import type { Moment } from './moments.types.ts'

export interface Choice {
  readonly moments: readonly Moment[]
  /** For each rule, how many were chosen and in what manner. */
  readonly words: ReadonlyMap<MomentRuleName, string>
}

interface Candidate {
  readonly moment: Moment
  /** To the nearest moment that was chosen, milliseconds. */
  distance: number
}

const farthest = (candidates: readonly Candidate[]): Candidate | undefined =>
  candidates.reduce<Candidate | undefined>(
    (best, next) => (best && best.distance >= next.distance ? best : next),
    undefined,
  )

const wordsFor = ({ none = 'Found nothing.' }: MomentRule, found: number, chosen: number): string => {
  if (found === 0) return none
  if (chosen === found) return `All ${found} found, as the minutes sufficed for each of them.`
  const manner = chosen === 0 ? 'the minutes were used up before its turn.' : momentChoiceText
  return `${chosen} of ${found} found: ${manner}`
}

/** As many moments as there are minutes, in the order of time. `all` is in that order. */
export const chooseMoments = (all: readonly Moment[], minutes: number): Choice => {
  const left = new Map(momentRuleNames.map((rule) => [rule, [] as Candidate[]]))
  for (const moment of all) left.get(moment.rule)?.push({ moment, distance: Number.POSITIVE_INFINITY })
  const chosen = new Set<Moment>()
  const take = (rule: MomentRuleName): boolean => {
    const candidates = left.get(rule) ?? []
    const isFirst = candidates.length > 0 && ![...chosen].some((moment) => moment.rule === rule)
    const pick = isFirst ? candidates[0] : farthest(candidates)
    if (!pick) return false
    chosen.add(pick.moment)
    left.set(
      rule,
      candidates.filter((candidate) => candidate !== pick),
    )
    for (const others of left.values())
      for (const other of others) other.distance = Math.min(other.distance, Math.abs(other.moment.at - pick.moment.at))
    return true
  }
  for (let took = true; took && chosen.size < minutes; ) {
    took = false
    for (const rule of momentRuleNames) if (chosen.size < minutes && take(rule)) took = true
  }
  const words = momentRuleNames.map((rule) => {
    const found = all.filter((moment) => moment.rule === rule).length
    return [
      rule,
      wordsFor(momentRules[rule], found, [...chosen].filter((moment) => moment.rule === rule).length),
    ] as const
  })
  return { moments: all.filter((moment) => chosen.has(moment)), words: new Map(words) }
}
