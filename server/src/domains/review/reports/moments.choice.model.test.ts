import { type MomentRuleName, momentRuleNames } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseMoments } from './moments.choice.model.ts'
import type { Moment } from './moments.types.ts'

const moment = (rule: MomentRuleName, at: number): Moment => ({
  rule,
  at,
  key: `${at}`,
  lanes: [],
  untilAt: null,
  reading: {},
  atStart: null,
})
const inOrder = (moments: Moment[]) => moments.toSorted((a, b) => a.at - b.at)
const chosen = (moments: Moment[], minutes: number) =>
  chooseMoments(inOrder(moments), minutes).moments.map(({ rule, at }) => [rule, at])

describe('a budget of minutes', () => {
  const gaps = [0, 1, 2, 50, 100].map((at) => moment('lane_gap', at))

  it('gives each rule its earliest before any rule has a second', () => {
    const jump = moment('clock_jump', 70)
    expect(chosen([...gaps, jump], 2)).toEqual([
      ['lane_gap', 0],
      ['clock_jump', 70],
    ])
  })

  it('then gives each rule what lies farthest from all that were chosen', () => {
    expect(chosen(gaps, 2)).toEqual([
      ['lane_gap', 0],
      ['lane_gap', 100],
    ])
    expect(chosen(gaps, 3).map(([, at]) => at)).toEqual([0, 50, 100])
    // The jump at 90 was chosen, so the gap at 100 is near something.
    expect(chosen([...gaps, moment('clock_jump', 90)], 3).map(([, at]) => at)).toEqual([0, 50, 90])
  })

  it('says for each rule how many of how many were chosen, and how', () => {
    const { words } = chooseMoments(inOrder([...gaps, moment('clock_jump', 3)]), 3)
    expect([...words.keys()]).toEqual(momentRuleNames)
    expect(words.get('lane_gap')).toMatch(/^2 of 5 found: .*farthest/)
    expect(words.get('clock_jump')).toMatch(/^All 1 found/)
    expect(words.get('virtual_machine')).toBe('Found nothing.')
    expect(chooseMoments([], 3).words.get('lane_gap')).toBe('No gap of 15 s or longer.')
    const { words: short } = chooseMoments([moment('lane_gap', 0), moment('clock_jump', 1)], 1)
    expect(short.get('clock_jump')).toBe('0 of 1 found: the minutes were used up before its turn.')
  })

  it('is used up or leaves nothing, in the order of time, covering as many rules as it can', () => {
    const some = fc.array(
      fc.record({ rule: fc.constantFrom(...momentRuleNames), at: fc.integer({ min: 0, max: 100 }) }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(some, fc.integer({ min: 1, max: 12 }), (raw, minutes) => {
        const all = inOrder(raw.map(({ rule, at }) => moment(rule, at)))
        const { moments } = chooseMoments(all, minutes)
        expect(moments).toHaveLength(Math.min(minutes, all.length))
        expect(moments).toEqual(all.filter((one) => moments.includes(one)))
        const rules = (some: readonly Moment[]) => new Set(some.map(({ rule }) => rule)).size
        expect(rules(moments)).toBe(Math.min(minutes, rules(all)))
      }),
      { seed: 10 },
    )
  })
})
