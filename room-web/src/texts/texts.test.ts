import { describe, expect, it } from 'vitest'
import { en, type Texts } from './en.ts'
import { languages } from './languages.ts'

const keys = Object.keys(en) as (keyof Texts)[]
const holesOf = (text: string) =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort((a, b) => a.localeCompare(b))

describe.each(languages)('the texts in $code', ({ code, texts }) => {
  it('are complete, with the same holes as in English', () => {
    expect(Object.keys(texts).sort()).toEqual([...keys].sort())
    for (const key of keys) {
      expect(texts[key].trim(), key).not.toBe('')
      expect(holesOf(texts[key]), key).toEqual(holesOf(en[key]))
    }
  })

  it('are in their own script and language', () => {
    if (code === 'en') return
    const same = keys.filter((key) => texts[key] === en[key])
    expect(same).toEqual([])
  })

  it('judge nobody', () => {
    const judging = /suspicious|cheat|fraud|violation|verdict|score|guilty|धोखा|संदिग्ध|नकल/i
    for (const key of keys) expect(texts[key], key).not.toMatch(judging)
  })
})
