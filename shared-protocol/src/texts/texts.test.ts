import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from './languages.ts'

const here = import.meta.dirname
const areas = readdirSync(join(here, 'en')).sort()

/** Every text with its name, however deep. */
const flat = (texts: object, within = ''): [name: string, text: string][] =>
  Object.entries(texts).flatMap(([name, part]) =>
    typeof part === 'string' ? [[`${within}${name}`, part] as [string, string]] : flat(part, `${within}${name}.`),
  )
const textsOf = async (code: string, area: string): Promise<Map<string, string>> => {
  const module: { texts: object } = await import(join(here, code, area))
  return new Map(flat(module.texts))
}
/** A name that only chooses a word, such as `{n|one|more}`, is no hole: not every language has to choose. */
const holesOf = (text = '') => [...text.matchAll(/\{(\w+)\}/g)].map(([hole]) => hole).sort()
const choicesOf = (text = '') => [...text.matchAll(/\{(\w+)\|/g)].map(([, name]) => `{${name}}`)
const hasWords = (text = '') => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''))

/** Names that are the same in every language. */
const proper = new Set([
  ...['Interview Integrity', 'Stripe', 'Razorpay', 'Greenhouse', 'Lever', 'Ashby', 'Teamtailor'],
  ...['Slack', 'Microsoft Teams', 'Zoom', 'Google Meet', 'Webex'],
])
const judging =
  /suspicious|cheat|fraud|violation|verdict|score|guilty|\bflag|\bhurry|immediately|urgent|धोखा|संदिग्ध|नकल/i

const all = languages.flatMap((language) => areas.map((area) => ({ ...language, area })))

describe.each(all)('$area in $code', ({ code, script, area }) => {
  it('is complete, with the same holes as in English', async () => {
    const [english, texts] = [await textsOf('en', area), await textsOf(code, area)]
    expect([...texts.keys()].sort()).toEqual([...english.keys()].sort())
    for (const [name, text] of texts) {
      expect(text.trim(), name).not.toBe('')
      expect(holesOf(text), name).toEqual(holesOf(english.get(name)))
      expect(holesOf(text), name).toEqual(expect.arrayContaining(choicesOf(text)))
    }
  })

  it('is in its own script and language', async () => {
    const [english, texts] = [await textsOf('en', area), await textsOf(code, area)]
    const own = new RegExp(`\\p{Script=${script}}`, 'u')
    for (const [name, text] of texts) {
      if (!hasWords(text) || proper.has(text)) continue
      expect(text, name).toMatch(own)
      if (code !== 'en') expect(text, name).not.toBe(english.get(name))
    }
  })

  it('judges nobody, and hurries nobody', async () => {
    // The one that says that there is none.
    for (const [name, text] of await textsOf(code, area))
      if (name !== 'peopleDecide') expect(text, name).not.toMatch(judging)
  })
})

it('every folder is of a language of the list, and has the same areas', () => {
  const folders = readdirSync(here, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual(['areas', ...languages.map(({ code }) => code)].sort())
  for (const { name } of folders) expect(readdirSync(join(here, name)).sort(), name).toEqual(areas)
})
