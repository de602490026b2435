import { describe, expect, it } from 'vitest'
import type { CoverageGap } from '../capture/coverage.ts'
import { HeardCoverage } from './heard-coverage.ts'

const buildCoverage = (from = 0) => {
  const gaps: CoverageGap[] = []
  return { gaps, coverage: new HeardCoverage(from, (gap) => gaps.push(gap)) }
}
/** Sound in tenths of a second. */
const hear = (coverage: HeardCoverage, source: string, from: number, to: number): void => {
  for (let at = from; at < to; at += 100) coverage.heard(source, at, at + 100)
}
const seconds = (coverage: HeardCoverage, to: number) => {
  const { expectedSeconds, observedSeconds } = coverage.take(to)!
  return [expectedSeconds, observedSeconds]
}

describe('the coverage of the transcript', () => {
  it('expects the sound that was heard, and counts what two lanes heard at once a single time', () => {
    const { coverage } = buildCoverage()
    hear(coverage, 'microphone', 0, 10_000)
    hear(coverage, 'system_audio', 5000, 15_000)
    expect(seconds(coverage, 30_000)).toEqual([15, 15])
    expect(coverage.take(30_000)).toBeUndefined()
    hear(coverage, 'microphone', 35_000, 36_000)
    expect(coverage.take(40_000)).toMatchObject({
      lane: 'transcript',
      fromAt: 30_000,
      toAt: 40_000,
      expectedSeconds: 1,
    })
  })

  it('counts sound as not observed when it was missed in one lane, and tells the gap as one', () => {
    const { coverage, gaps } = buildCoverage()
    hear(coverage, 'microphone', 0, 20_000)
    hear(coverage, 'system_audio', 0, 20_000)
    for (let at = 4000; at < 8000; at += 100) coverage.missed(at, at + 100, 'driver_failed')
    expect(seconds(coverage, 20_000)).toEqual([20, 16])
    expect(gaps).toEqual([{ from: 4000, to: 8000, reason: 'driver_failed' }])
  })

  it('does not count a miss where nothing was heard', () => {
    const { coverage } = buildCoverage()
    hear(coverage, 'microphone', 0, 5000)
    coverage.missed(4000, 9000, 'not_observable')
    expect(seconds(coverage, 10_000)).toEqual([5, 4])
  })

  it('tells a hole that goes on in pieces that touch, and the last one when asked', () => {
    const { coverage, gaps } = buildCoverage()
    for (let at = 0; at < 700_000; at += 1000) coverage.missed(at, at + 1000, 'not_observable')
    coverage.closeGap()
    expect(gaps.map(({ from, to }) => [from, to])).toEqual([
      [0, 300_000],
      [300_000, 600_000],
      [600_000, 700_000],
    ])
  })

  it('goes on when the clock is put back by a day, without a negative length', () => {
    const day = 86_400_000
    const { coverage } = buildCoverage(day)
    hear(coverage, 'microphone', day, day + 10_000)
    expect(seconds(coverage, day + 10_000)).toEqual([10, 10])
    hear(coverage, 'microphone', 10_000, 20_000)
    expect(coverage.take(20_000)).toMatchObject({ fromAt: 10_000, toAt: 20_000, expectedSeconds: 10 })
  })
})
