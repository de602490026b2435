import { en } from '@integrity/protocol/texts/en/phone'
import { describe, expect, it } from 'vitest'
import { languages } from './languages.ts'

const holes = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))

describe('the texts', () => {
  it.each(languages.map((language) => [language.code, language] as const))('are complete in %s', (_code, { texts }) => {
    expect(new Set(Object.keys(texts))).toEqual(new Set(Object.keys(en)))
    for (const name of Object.keys(en) as (keyof typeof en)[]) {
      expect(texts[name].trim(), name).not.toBe('')
      expect(holes(texts[name]), name).toEqual(holes(en[name]))
    }
  })
})
