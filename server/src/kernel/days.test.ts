import { describe, expect, it } from 'vitest'
import { dateOf, daysOf } from './days.ts'

const now = Date.parse('2026-11-23T08:00:00Z')

describe('days', () => {
  it('are thirty up to now unless asked otherwise, and whole ones of UTC', () => {
    const usual = daysOf({}, now)
    expect([dateOf(usual.from), dateOf(usual.until - 1)]).toEqual(['2026-10-25', '2026-11-23'])
    const asked = daysOf({ from: '2026-01-01T23:00:00Z', to: '2026-01-03T00:00:00Z' }, now)
    expect([dateOf(asked.from), dateOf(asked.until - 1)]).toEqual(['2026-01-01', '2026-01-02'])
  })

  it('are at most a year of them, in years of four digits', () => {
    expect(() => daysOf({ from: '2025-01-01T00:00:00Z' }, now)).toThrow('366 days')
    expect(dateOf(daysOf({ to: '9999-12-31T23:59:59Z' }, now).until - 1)).toBe('9999-12-31')
    expect(() => daysOf({ to: '9999-12-31T23:59:59-23:59' }, now)).toThrow('four digits')
  })
})
