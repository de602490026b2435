import { describe, expect, it } from 'vitest'
import { backoffMs } from './backoff.ts'

describe('the backoff', () => {
  it('doubles up to its cap, and jitters between half and all of it', () => {
    const longest = [0, 1, 2, 3, 9, 99].map((attempt) =>
      backoffMs(attempt, { baseMs: 500, capMs: 3000, random: () => 1 }),
    )
    expect(longest).toEqual([500, 1000, 2000, 3000, 3000, 3000])
    expect(backoffMs(1, { baseMs: 500, capMs: 3000, random: () => 0 })).toBe(500)
  })
})
