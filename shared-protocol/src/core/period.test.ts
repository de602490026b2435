import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { inOrder, periodOf } from './period.ts'

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
