import { expect, it } from 'vitest'
import { nextOf } from './next.ts'

const at = (startsAt: string) => ({ schedule: { startsAt } })

it('has the nearest appointments that are still to come, whenever they were made', () => {
  const sessions = [
    at('2026-01-03T09:00:00Z'),
    { schedule: null },
    at('2026-01-01T09:00:00Z'),
    at('2026-01-02T09:00:00Z'),
  ]
  expect(nextOf(sessions, Date.parse('2026-01-01T10:00:00Z')).map(({ schedule }) => schedule?.startsAt)).toEqual([
    '2026-01-02T09:00:00Z',
    '2026-01-03T09:00:00Z',
  ])
  expect(nextOf(Array(9).fill(at('2026-01-03T09:00:00Z')), 0)).toHaveLength(5)
})
