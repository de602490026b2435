import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConsentLocale, consentTexts } from './consent-texts.ts'
import { laneNames } from './domains/interviews/lanes/lanes.registry.ts'
import { sessionConfig } from './domains/interviews/sessions/sessions.config.ts'
import { laneWords, policyWords } from './policy-words.ts'

const locales = Object.keys(consentTexts) as ConsentLocale[]
const whole = sessionConfig.parse({})
const withCamera = (clips: boolean, stills: boolean) => ({ ...whole, camera: { ...whole.camera, clips, stills } })

describe('what is said of a lane', () => {
  it('names the interval in seconds, and one second in a word of its own', () => {
    for (const locale of locales) {
      const every = (screenshotIntervalSeconds: number) =>
        laneWords({ ...whole, capture: { ...whole.capture, screenshotIntervalSeconds } }, 'screen', locale)
      expect(every(7)).toContain('7')
      expect(every(1)).toContain(consentTexts[locale].everySecond)
      expect(every(1)).not.toContain(consentTexts[locale].everySeconds.replace('{n}', '1'))
    }
  })

  it('says of clips that they come beside the stills, or instead of them, and nothing where there are none', () => {
    const { cameraClips, cameraClipsOnly } = consentTexts.en
    const said = (clips: boolean, stills: boolean) => laneWords(withCamera(clips, stills), 'camera', 'en')
    expect(said(true, true)).toContain(cameraClips)
    expect(said(true, true)).not.toContain(cameraClipsOnly)
    expect(said(true, false)).toBe(cameraClipsOnly)
    for (const text of [cameraClips, cameraClipsOnly]) expect(said(false, true)).not.toContain(text)
  })

  it('leaves no gap to be filled in, in any language and under any policy', () => {
    const switches = fc.record({ film: fc.boolean(), clips: fc.boolean(), stills: fc.boolean(), titles: fc.boolean() })
    fc.assert(
      fc.property(switches, fc.constantFrom(...locales), ({ film, clips, stills, titles }, locale) => {
        const config = {
          ...withCamera(clips, stills),
          capture: { ...whole.capture, recording: film },
          windowTitles: titles,
        }
        return laneNames.every((lane) => {
          const words = laneWords(config, lane, locale)
          return words.trim() === words && words !== '' && !/[{}]|undefined| {2}/.test(words)
        })
      }),
    )
  })

  it('says either that titles of windows are taken or that they never are', () => {
    for (const windowTitles of [true, false]) {
      const words = laneWords({ ...whole, windowTitles }, 'signals', 'en')
      expect(words.includes(consentTexts.en.signalsWithTitles)).toBe(windowTitles)
      expect(words.includes(consentTexts.en.signalsNever)).toBe(!windowTitles)
    }
  })

  it('has a word in every language for each condition', () => {
    for (const { word } of policyWords)
      for (const locale of locales) expect(consentTexts[locale][word], `${locale} ${word}`).toMatch(/\S/)
  })
})
