import { momentRules } from '@integrity/protocol'
import { fill } from '@integrity/protocol/clients/language'
import { describe, expect, it } from 'vitest'
import { type DeskText, deskLanguages } from '../words/desk.ts'
import { ruleReasons, ruleTitle } from './rule-words.ts'

const speaking = (code: string) => {
  const texts = deskLanguages.find((language) => language.code === code)?.texts
  return (name: DeskText) => fill(texts?.[name] ?? '', {}, code)
}

describe('the words of a rule on the desk', () => {
  it('are in the language of the page, for every published rule', () => {
    const [en, hi] = [speaking('en'), speaking('hi')]
    for (const [rule, { title, commonReasons }] of Object.entries(momentRules)) {
      expect(ruleTitle(en, { rule, title })).toEqual({ words: title, lang: undefined })
      expect(ruleReasons(en, { rule, commonReasons }).words).toEqual(commonReasons)
      expect(ruleTitle(hi, { rule, title }).words).toMatch(/\p{Script=Devanagari}/u)
      expect(ruleReasons(hi, { rule, commonReasons }).words).toHaveLength(commonReasons.length)
    }
  })

  it('are those of the rule, marked as English, where it is younger than the page', () => {
    const rule = { rule: 'younger', title: 'A younger rule', commonReasons: ['It happens.'] }
    expect(ruleTitle(speaking('hi'), rule)).toEqual({ words: 'A younger rule', lang: 'en' })
    expect(ruleReasons(speaking('hi'), rule)).toEqual({ words: ['It happens.'], lang: 'en' })
  })
})
