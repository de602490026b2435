import { describe, expect, it } from 'vitest'
import { backoffMs, deviceBackoff } from '../../client/src/backoff.ts'

const law = { baseMs: 100, capMs: 1000 }
const highest = () => 0.999_999

describe('the wait after failures in a row', () => {
  it('is random below a ceiling that doubles up to its cap', () => {
    const ceilings = [1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, { ...law, random: highest }))
    expect(ceilings.map(Math.ceil)).toEqual([100, 200, 400, 800, 1000, 1000])
    expect(backoffMs(3, { ...law, random: () => 0.25 })).toBe(100)
    expect(backoffMs(3, { ...law, random: () => 0 })).toBe(0)
  })

  it('stays a number after any number of failures', () => {
    for (const failures of [100, 1e6, Number.MAX_SAFE_INTEGER])
      expect(backoffMs(failures, { ...law, random: () => 0.5 })).toBe(500)
  })

  it('is never shorter than the least, nor than what the service asked for', () => {
    expect(backoffMs(1, { ...law, random: () => 0, leastMs: 30 })).toBe(30)
    expect(backoffMs(1, { ...law, random: () => 0, leastMs: 30, askedMs: 7000 })).toBe(7000)
    expect(backoffMs(1, { ...law, random: () => 0, askedMs: 0 })).toBe(0)
  })

  it('after Retry-After is spread too, wider the more often it failed', () => {
    const random = () => 0.5
    expect(backoffMs(1, { ...law, random, askedMs: 7000 })).toBe(7050)
    expect(backoffMs(4, { ...law, random, askedMs: 7000 })).toBe(7400)
  })

  it('brings the devices of a building back one by one, and none at once', () => {
    const waits = Array.from({ length: 500 }, () => backoffMs(5, deviceBackoff))
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(deviceBackoff.leastMs)
    expect(Math.max(...waits)).toBeLessThan(16_000)
    expect(new Set(waits.map((ms) => Math.floor(ms / 4000))).size).toBe(4)
  })
})
