import { describe, expect, it } from 'vitest'
import type { Clock } from './clock.ts'
import { createServiceClock } from './service-clock.ts'

const machine = (wall = 1_000_000) => {
  const state = { wall, mono: 0, up: 500_000 }
  const base: Clock = { wallMs: () => state.wall, monotonicMs: () => state.mono, sleep: async () => undefined }
  const run = (ms: number): void => {
    state.wall += ms
    state.mono += ms
    state.up += ms
  }
  const sleep = (ms: number): void => {
    state.wall += ms
    state.up += ms
  }
  return { state, run, sleep, clock: createServiceClock(base, () => state.up) }
}

const day = 86_400_000

describe('the service clock', () => {
  it("is the computer's clock until the service has said its time", () => {
    const { clock, run } = machine()
    run(1234)
    expect(clock.wallMs()).toBe(1_001_234)
    expect(clock.aheadMs()).toBe(0)
  })

  it('is put right by an answer, on a computer that is a day ahead, and says by how much', () => {
    const { clock, run } = machine(1_000_000 + day)
    run(100)
    expect(clock.correct(1_000_100, 100, 20)).toBe(-day)
    run(5000)
    expect(clock.wallMs()).toBe(1_005_100)
    expect(clock.aheadMs()).toBe(day)
  })

  it('counts from when the answer was true, not from when it was read', () => {
    const { clock, run } = machine()
    run(1000)
    // True at 400 of the monotonic clock, read at 1000.
    clock.correct(9_000_000, 400, 20)
    expect(clock.wallMs()).toBe(9_000_600)
  })

  it("does not follow the computer's clock when it is set by hand", () => {
    const { clock, state, run } = machine()
    state.wall += day
    run(10)
    expect(clock.wallMs()).toBe(1_000_010)
    expect(clock.aheadMs()).toBe(day)
    state.wall -= 3 * day
    expect(clock.wallMs()).toBe(1_000_010)
  })

  it('counts the time for which the machine slept', () => {
    const { clock, run, sleep } = machine()
    run(100)
    clock.wallMs()
    sleep(3_600_000)
    run(50)
    expect(clock.wallMs()).toBe(1_000_000 + 3_600_150)
    expect(clock.wallMs()).toBe(1_000_000 + 3_600_150)
  })

  it('leaves differences alone that the network explains', () => {
    const { clock } = machine()
    expect(clock.correct(1_000_200, 0, 10)).toBeUndefined()
    expect(clock.correct(1_003_000, 0, 4000)).toBeUndefined()
    expect(clock.correct(1_003_000, 0, 100)).toBe(3000)
  })
})
