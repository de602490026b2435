import { describe, expect, it } from 'vitest'
import { lookIntervalMs } from './pictures.ts'

describe('look interval', () => {
  it('is the interval of the stills where that is short', () => {
    expect(lookIntervalMs(500)).toBe(500)
    expect(lookIntervalMs(10_000)).toBe(10_000)
  })

  it('is an equal part of a longer interval, and never longer than ten seconds', () => {
    expect(lookIntervalMs(15_000)).toBe(7500)
    expect(lookIntervalMs(3_600_000)).toBe(10_000)
    expect(lookIntervalMs(31_000)).toBe(7750)
  })
})
