import { expect, it } from 'vitest'
import { type MomentRule, momentRules } from '../domains/review/reports/moments.rules.ts'
import { momentsTexts } from './areas/moments.ts'

it('the moments that a candidate reads about are called as the published rules call them, in every language all of them', () => {
  const rules = Object.entries<MomentRule>(momentRules)
  const said = rules.flatMap(([name, { title, commonReasons }]) => [
    [`ruleTitle.${name}`, title],
    [`ruleReasons.${name}`, commonReasons.join('\n')],
  ])
  expect(momentsTexts.en).toEqual(Object.fromEntries(said))
  for (const [name, { commonReasons }] of rules)
    expect(momentsTexts.hi[`ruleReasons.${name}` as 'ruleReasons.lane_gap'].split('\n')).toHaveLength(
      commonReasons.length,
    )
})
