import { describe, expect, it } from 'vitest'
import { regional } from './regional.ts'

const english = { code: 'en', dates: 'en-GB' }
const hindi = { code: 'hi', dates: 'hi-IN-u-hc-h23-nu-latn' }

describe('how a language is written where its reader is', () => {
  it('is as the device has it, else as in letters', () => {
    expect(regional(english, ['de-DE', 'en-US', 'en-GB'])).toBe('en-US')
    expect(regional(english, ['de-DE'])).toBe('en-GB')
    expect(regional(hindi, ['en-GB'])).toBe(hindi.dates)
    expect(regional(hindi, ['hi-u-nu-deva'])).toBe('hi-u-nu-deva')
  })

  it('shows the clock in Hindi as it is in letters, whatever the device prefers', () => {
    const at = new Date('2026-11-24T19:05:00Z')
    for (const preferred of [['hi-IN'], ['hi'], ['en-GB']]) {
      const locale = regional(hindi, preferred)
      const said = at.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'Asia/Kolkata' })
      expect(said).toBe('25 नवंबर 2026 को 00:35 बजे')
    }
  })
})
