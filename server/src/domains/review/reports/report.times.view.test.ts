import { describe, expect, it } from 'vitest'
import { clockOf, inWords, length, utc } from './report.times.view.ts'

const at = (instant: string) => Date.parse(instant)

describe('the hours of a report', () => {
  it('have no day within one', () => {
    const clock = clockOf(at('2026-11-26T10:00:00Z'), at('2026-11-26T11:00:00Z'), null)
    expect(clock.utc(at('2026-11-26T10:30:05Z'))).toBe('10:30:05')
    expect(clock.both(at('2026-11-26T10:30:05Z'))).toBe('10:30:05')
  })

  it('have their day where the session goes past midnight', () => {
    const { utc: shown } = clockOf(at('2026-11-26T22:06:44Z'), at('2026-11-28T00:06:46Z'), null)
    expect([shown(at('2026-11-26T22:06:44Z')), shown(at('2026-11-28T00:06:45Z'))]).toEqual([
      '26 Nov 22:06:44',
      '28 Nov 00:06:45',
    ])
  })

  it('stand in the zone of the appointment too, whose midnight is its own', () => {
    const clock = clockOf(at('2026-11-26T18:00:00Z'), at('2026-11-26T19:00:00Z'), 'Asia/Kolkata')
    expect(clock.zone).toBe('Asia/Kolkata')
    expect(clock.both(at('2026-11-26T18:45:00Z'))).toBe('18:45:00 (27 Nov 00:15:00)')
    expect(inWords(at('2026-11-26T18:45:00Z'), 'Asia/Kolkata')).toBe('27 Nov 2026 00:15:00 (Asia/Kolkata)')
  })

  it('have the same words in UTC as a zone that never differs from it', () => {
    const [from, to] = [at('2026-01-01T00:00:00Z'), at('2026-12-31T00:00:00Z')]
    const { utc: ours, local } = clockOf(from, to, 'Africa/Abidjan')
    for (let month = 0; month < 12; month += 1) {
      const then = Date.UTC(2026, month, 9, 0, 5, 7)
      expect(ours(then)).toBe(local(then))
    }
  })

  it('of an appointment in UTC stand once', () => {
    for (const zone of ['UTC', 'Etc/UTC']) expect(clockOf(0, 1, zone).zone).toBeNull()
  })

  it('have their day where something was before or after the session', () => {
    const clock = clockOf(at('2026-11-26T10:00:00Z'), at('2026-11-26T11:00:00Z'), null)
    expect(clock.utc(at('2026-11-25T10:00:00Z'))).toBe('25 Nov 10:00:00')
  })
})

describe('a length', () => {
  it.each([
    [93_602_000, '26 h 0 min 2 s'],
    [85_000, '1 min 25 s'],
    [7_600, '7.6 s'],
    [59_990, '1 min 0 s'],
    [0, '0 s'],
  ])('of %i ms is %s', (ms, words) => {
    expect(length(ms)).toBe(words)
  })
})

describe('an instant', () => {
  it('has its day and its zone', () => {
    expect(utc('2026-11-26T14:30:05.123Z')).toBe('2026-11-26 14:30:05 UTC')
    expect(utc(null)).toBe('–')
  })
})
