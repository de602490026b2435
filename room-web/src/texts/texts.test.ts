import { invitationEn } from '@integrity/protocol/texts/en/invitation'
import { requestsEn } from '@integrity/protocol/texts/en/requests'
import { en } from '@integrity/protocol/texts/en/room'
import { describe, expect, it } from 'vitest'
import { invitationLanguages } from './invitation/languages.ts'
import type { Language } from './language.ts'
import { languages } from './languages.ts'
import { requestsLanguages } from './requests/languages.ts'

type Catalogue = Readonly<Record<string, string>>
const pages: readonly { page: string; english: Catalogue; spoken: readonly Language<string>[] }[] = [
  { page: 'room', english: en, spoken: languages },
  { page: 'invitation', english: invitationEn, spoken: invitationLanguages },
  { page: 'requests', english: requestsEn, spoken: requestsLanguages },
]
const catalogues = pages.flatMap(({ page, english, spoken }) => spoken.map((one) => ({ page, english, ...one })))

const holesOf = (text = '') =>
  [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort((a, b) => a.localeCompare(b))

describe.each(catalogues)('the texts of the $page in $code', ({ code, texts, english }) => {
  const spoken: Catalogue = texts
  const keys = Object.keys(english)

  it('are complete, with the same holes as in English', () => {
    expect(Object.keys(spoken).sort()).toEqual([...keys].sort())
    for (const key of keys) {
      expect(spoken[key]?.trim(), key).not.toBe('')
      expect(holesOf(spoken[key]), key).toEqual(holesOf(english[key]))
    }
  })

  it('are in their own script and language', () => {
    if (code === 'en') return
    // Times with their zone are no words.
    const same = keys.filter(
      (key) => spoken[key] === english[key] && /[a-z]/i.test((spoken[key] ?? '').replace(/\{\w+\}/g, '')),
    )
    expect(same).toEqual([])
  })

  it('judge nobody, and hurry nobody', () => {
    const judging = /suspicious|cheat|fraud|violation|verdict|score|guilty|\bhurry|immediately|urgent|धोखा|संदिग्ध|नकल/i
    for (const key of keys) expect(spoken[key], key).not.toMatch(judging)
  })
})
