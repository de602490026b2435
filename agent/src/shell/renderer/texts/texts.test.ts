import { evidenceTypeNames, gapReasons } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import { en, type TextKey } from './en.ts'
import { languages } from './languages.ts'

const keys = Object.keys(en) as TextKey[]
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
    const same = keys.filter((key) => texts[key] === en[key] && /\p{L}/u.test(en[key].replace(/\{\w+\}/g, '')))
    expect(same).toEqual([])
  })

  it('judge nobody', () => {
    const judging = /suspicious|cheat|fraud|violation|verdict|score|guilty|\bflag|धोखा|संदिग्ध|नकल/i
    for (const key of keys) expect(texts[key], key).not.toMatch(judging)
  })
})

it('there are words for every reason of a gap and every type of evidence', () => {
  for (const reason of Object.keys(gapReasons)) expect(en).toHaveProperty([`reason.${reason}`])
  for (const type of evidenceTypeNames) expect(en).toHaveProperty([`type.${type}`])
})

it('no two parts of the catalogue use the same key', async () => {
  const parts = await Promise.all([
    import('@integrity/protocol/texts/en/window-check'),
    import('@integrity/protocol/texts/en/window-consent'),
    import('@integrity/protocol/texts/en/window-general'),
    import('@integrity/protocol/texts/en/window-problems'),
    import('@integrity/protocol/texts/en/window-recording'),
  ])
  const all = parts.flatMap((part) => Object.values(part).flatMap((texts) => Object.keys(texts)))
  expect(all.length).toBe(keys.length)
})
