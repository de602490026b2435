import { describe, expect, it } from 'vitest'
import { integrityEventKinds } from '../../interviews/integrity-events/integrity-events.kinds.ts'
import { type MomentRule, momentGapSeconds, momentKinds, momentRuleNames, momentRules } from './moments.rules.ts'

const rules = Object.entries<MomentRule>(momentRules)

describe('a rule that makes a moment', () => {
  it.each(rules)(
    '%s says whole sentences, and why it happens to anybody',
    (_, { title, text, commonReasons, version }) => {
      expect(title).toMatch(/^[A-Z].*[^.]$/)
      expect(text).toMatch(/^[A-Z].*\.$/)
      expect(version).toBeGreaterThan(0)
      expect(commonReasons.length).toBeGreaterThanOrEqual(2)
      for (const reason of commonReasons) expect(reason).toMatch(/^[A-Z].*\.$/)
    },
  )

  it.each(rules)('%s tells what was there and judges nobody', (_, { title, text, commonReasons }) => {
    const words = [title, text, ...commonReasons].join(' ')
    expect(words).not.toMatch(/suspicio|cheat|fraud|violat|risk|score|severe|serious|flag|alert|should not|must not/i)
  })

  it('reads events that exist, and each of them for one rule alone', () => {
    for (const kind of momentKinds) expect(integrityEventKinds).toHaveProperty([kind])
    expect(new Set(momentKinds).size).toBe(momentKinds.length)
  })

  it('has a name of its own, a title of its own, and says the bound that is applied', () => {
    expect(new Set(rules.map(([, { title }]) => title)).size).toBe(rules.length)
    for (const name of momentRuleNames) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)*$/)
    expect(momentRules.lane_gap.text).toContain(`${momentGapSeconds} seconds or longer`)
  })
})
