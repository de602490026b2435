import { describe, expect, it } from 'vitest'
import { type ConsentLocale, consentLocaleFor, consentLocales, consentTexts, laneTitle } from './consent-texts.ts'
import { laneNames } from './domains/interviews/lanes/lanes.registry.ts'
import { languages } from './texts/languages.ts'

/** Names of the words of a catalogue, lanes with their parts. */
const namesOf = (value: object): string[] =>
  Object.entries(value).flatMap(([name, part]) =>
    typeof part === 'string' ? [name] : namesOf(part as object).map((inner) => `${name}.${inner}`),
  )
const wordsOf = (value: object): string[] =>
  Object.values(value).flatMap((part) => (typeof part === 'string' ? [part] : wordsOf(part as object)))
const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([found]) => found)

const lettersOf = (locale: ConsentLocale): RegExp =>
  new RegExp(`\\p{Script=${languages.find(({ code }) => code === locale)?.script}}`, 'u')

describe('the words of the consent document', () => {
  for (const locale of consentLocales) {
    const texts = consentTexts[locale]

    it(`are complete in ${locale}: every lane and every sentence, with the same places to fill in`, () => {
      expect(Object.keys(texts.lanes).sort()).toEqual([...laneNames].sort())
      expect(namesOf(texts).sort()).toEqual(namesOf(consentTexts.en).sort())
      for (const lane of laneNames)
        expect(placeholders(texts.lanes[lane].text), lane).toEqual(placeholders(consentTexts.en.lanes[lane].text))
      expect(placeholders(texts.everySeconds)).toEqual(['{n}'])
    })

    it(`are in ${locale} and end as sentences do`, () => {
      for (const word of wordsOf(texts)) {
        expect(word).toMatch(lettersOf(locale))
        // A document that was not translated would be taken for one that was.
        if (locale !== 'en') expect(wordsOf(consentTexts.en)).not.toContain(word)
      }
      for (const lane of laneNames) expect(texts.lanes[lane].text).toMatch(/[.।]$/)
    })
  }

  it('are what every surface names the lanes by, in each language', async () => {
    for (const locale of consentLocales) {
      const titles = laneNames.map((lane) => consentTexts[locale].lanes[lane].title)
      const areas: [area: string, prefix: string][] = [
        ['window-general', 'lane'],
        ['requests', 'strip'],
      ]
      for (const [area, prefix] of areas) {
        const { texts } = (await import(`./texts/${locale}/${area}.ts`)) as { texts: Readonly<Record<string, string>> }
        expect(laneNames.map((lane) => texts[`${prefix}.${lane}`])).toEqual(titles)
      }
    }
  })

  it('say of phone and room what is not taken, so that no surface says it in words of its own', () => {
    for (const lane of ['side_view', 'room_camera'] as const)
      expect(consentTexts.en.lanes[lane].text).toMatch(/No sound/)
  })

  it('name everything that the observers send', () => {
    const { text } = consentTexts.en.lanes.signals
    for (const what of [
      'Displays, cameras and sound devices',
      'virtual cameras and microphones',
      'program in front',
      'published list',
      'keeps out of recordings',
      'locked',
      'slept and for how long',
      'keyboard and mouse',
      'network',
      'clock',
      'virtual machine',
      'clipboard',
    ])
      expect(text).toContain(what)
  })
})

describe('the language of a consent document', () => {
  it.each([
    ['en', 'en'],
    ['en-GB', 'en'],
    ['hi', 'hi'],
    ['hi-IN', 'hi'],
    ['HI-Deva-IN', 'hi'],
    ['hi_IN', 'hi'],
    ['hil', 'en'],
    ['de-AT', 'en'],
    ['', 'en'],
    ['not a tag', 'en'],
    [undefined, 'en'],
  ])('for %j is %s', (tag, locale) => {
    expect(consentLocaleFor(tag)).toBe(locale)
  })

  it('is English in the messages of the service', () => {
    expect(laneTitle('side_view')).toBe('Your phone as a side camera')
  })
})
