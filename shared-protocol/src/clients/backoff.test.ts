import { expect, it } from 'vitest'
import { waitBefore } from './backoff.ts'

it('the wait before another attempt doubles to half a minute, is spread, and is never shorter than asked for', () => {
  expect([0, 1, 2, 3].map((attempt) => waitBefore(attempt, () => 0))).toEqual([500, 1_000, 2_000, 4_000])
  expect(waitBefore(0, () => 0.999)).toBeCloseTo(1_000, -1)
  for (const attempt of [10, 1_000, Number.MAX_SAFE_INTEGER]) expect(waitBefore(attempt, () => 1)).toBe(30_000)
  expect(waitBefore(0, () => 0, 12_000)).toBe(12_000)
})
