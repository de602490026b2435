import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../shared/test-support/manual-clock.ts'
import { BandwidthMeter, QualityGovernor } from './bandwidth.ts'

const reading = { elapsedMs: 10_000, storedBytes: 100_000, backlogBytes: 0, bytesPerSecond: 100_000 }

describe('bandwidth meter', () => {
  it('knows nothing before a request was answered', async () => {
    const meter = new BandwidthMeter(new ManualClock())
    await meter.measure(1000, Promise.reject(new Error('cut'))).catch(() => undefined)
    expect(meter.bytesPerSecond).toBeUndefined()
  })

  it('counts the seconds of requests side by side once', async () => {
    const clock = new ManualClock()
    const meter = new BandwidthMeter(clock)
    const a = Promise.withResolvers<void>()
    const b = Promise.withResolvers<void>()
    const both = [meter.measure(5000, a.promise), meter.measure(5000, b.promise)]
    clock.advance(2000)
    a.resolve()
    b.resolve()
    await Promise.all(both)
    expect(meter.bytesPerSecond).toBe(5000)
  })
})

describe('quality governor', () => {
  it('leaves quality alone while the network takes far more than is captured', () => {
    const governor = new QualityGovernor()
    for (let index = 0; index < 20; index += 1) governor.read(reading)
    expect(governor.level).toBe(0)
  })

  it('lowers quality before the queue falls behind: when captured bytes near what the network takes', () => {
    const governor = new QualityGovernor()
    expect(governor.read({ ...reading, storedBytes: 800_000 })).toBe(1)
  })

  it('lowers quality when the queue is more than a minute behind', () => {
    expect(new QualityGovernor().read({ ...reading, backlogBytes: 6_100_000 })).toBe(1)
  })

  it('changes at most once in 30 seconds, and comes back when there is room again', () => {
    const governor = new QualityGovernor()
    const slow = { ...reading, bytesPerSecond: 10_000 }
    expect([1, 2, 3, 4].map(() => governor.read(slow))).toEqual([1, 1, 1, 2])
    for (let index = 0; index < 12; index += 1) governor.read(reading)
    expect(governor.level).toBe(0)
  })

  it('stays down while the queue is not caught up, however little comes in', () => {
    const governor = new QualityGovernor()
    governor.read({ ...reading, storedBytes: 800_000 })
    const behind = { ...reading, storedBytes: 0, backlogBytes: 1_100_000 }
    for (let index = 0; index < 12; index += 1) expect(governor.read(behind)).toBe(1)
    expect(governor.read({ ...behind, backlogBytes: 900_000 })).toBe(0)
  })

  it('decides nothing while the network is not known', () => {
    expect(new QualityGovernor().read({ ...reading, bytesPerSecond: undefined, backlogBytes: 1e9 })).toBe(0)
  })
})
