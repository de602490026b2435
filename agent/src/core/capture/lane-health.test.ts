import { expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { LaneHealth } from './lane-health.ts'

const timeoutMs = 15_000

const watched = () => {
  const clock = new ManualClock()
  const gaps: unknown[] = []
  const health = new LaneHealth({
    lane: 'screen',
    clock,
    timeoutMs,
    onGap: (gap) => gaps.push(gap),
    onHealth: () => undefined,
  })
  const after = (ms: number) => {
    clock.advance(ms)
    health.check()
    return health.laneReport.state
  }
  const sample = (varies?: boolean) => health.sample({ at: clock.wallMs(), varies } as never)
  return { after, sample, gaps }
}

it('is down as soon as the time without a sample is over, and not a millisecond before', () => {
  const { after, sample, gaps } = watched()
  sample()
  expect(after(timeoutMs - 1)).toBe('up')
  expect(after(1)).toBe('down')
  expect(gaps).toHaveLength(0)
  sample()
  expect(gaps).toHaveLength(1)
})

it('is degraded as soon as frames were of one colour for as long, and up with the first that is not', () => {
  const { after, sample } = watched()
  sample(false)
  expect(after(timeoutMs - 2)).toBe('up')
  sample(false)
  expect(after(1)).toBe('up')
  expect(after(1)).toBe('degraded')
  sample(true)
  expect(after(0)).toBe('up')
})
