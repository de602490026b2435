import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { boundedPeriod, inOrder, maxPeriodDays, periodOf } from './period.ts'

const query = inOrder(z.object(periodOf('createdAt')))
const day = (n: number) => `2026-03-0${n}T00:00:00.000Z`

describe('a period', () => {
  it('is open on either side', () => {
    for (const value of [{}, { from: day(1) }, { to: day(1) }, { from: day(1), to: day(2) }])
      expect(query.parse(value)).toEqual(value)
  })

  it('may be empty, but not the wrong way round', () => {
    expect(query.safeParse({ from: day(1), to: day(1) }).success).toBe(true)
    const { error } = query.safeParse({ from: day(2), to: day(1) })
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['from', 'must not be after to'],
    ])
  })

  it('compares instants, not their spelling', () => {
    expect(query.safeParse({ from: '2026-03-02T01:00:00+02:00', to: '2026-03-01T23:30:00Z' }).success).toBe(true)
    expect(query.safeParse({ from: '2026-03-01T23:30:00-05:00', to: '2026-03-02T01:00:00Z' }).success).toBe(false)
  })
})

describe('a period of days', () => {
  const counted = boundedPeriod('days')
  const dayMs = 86_400_000
  const start = Date.parse('2026-01-01T00:00:00.000Z')
  const at = (days: number, ms = 0) => new Date(start + days * dayMs + ms).toISOString()

  it('is at most a year of days, whichever year it is', () => {
    expect(counted.safeParse({ from: at(0), to: at(maxPeriodDays - 1) }).success).toBe(true)
    const { error } = counted.safeParse({ from: at(0), to: at(maxPeriodDays - 1, 1) })
    expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['from', `must not be more than ${maxPeriodDays} days before to`],
    ])
  })

  it('is open on either side however far that is away', () => {
    for (const value of [{}, { from: at(-4_000) }, { to: at(4_000) }]) expect(counted.parse(value)).toEqual(value)
  })

  it('is never the wrong way round', () => {
    expect(counted.safeParse({ from: at(0, 1), to: at(0) }).success).toBe(false)
    expect(counted.safeParse({ from: at(0), to: at(0) }).success).toBe(true)
  })
})
