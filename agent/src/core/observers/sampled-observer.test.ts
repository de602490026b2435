import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../test/test-support/manual-clock.ts'
import { wayOf } from './observer-table.ts'
import { createSampledObserver, polled, type Source } from './sampled-observer.ts'
import { watch } from './test-support/watch.ts'

const numbers = (source: Source<number>, clock = manualClock()) =>
  createSampledObserver<number>({
    name: 'clock',
    version: 7,
    way: wayOf('clock', 'linux'),
    clock,
    probe: async () => ({ status: 'observable' }),
    source,
    initial: (jumpMs) => [{ kind: 'clock.jumped', value: { jumpMs } }],
    changes: (before, jumpMs) => (before === jumpMs ? [] : [{ kind: 'clock.jumped', value: { jumpMs } }]),
  })

describe('an observer that compares states', () => {
  it('tells how things are first, then each change with how they were when observing began', async () => {
    const clock = manualClock()
    let now = 1
    const { seen, set } = watch(
      [
        numbers(
          polled(async () => now, 1000, clock),
          clock,
        ),
      ],
      clock,
    )
    await clock.advance(2500)
    now = 2
    await clock.advance(1000)
    now = 3
    await clock.advance(1000)
    await set.stop()
    const common = { observerVersion: 7, method: wayOf('clock', 'linux').method }
    expect(seen.map(({ data }) => data)).toEqual([
      { ...common, value: { jumpMs: 1 }, sinceBeforeSession: true },
      { ...common, value: { jumpMs: 2 }, baseline: 1 },
      { ...common, value: { jumpMs: 3 }, baseline: 1 },
    ])
    expect(seen.map(({ monotonicMs }) => monotonicMs)).toEqual([0, 3000, 4000])
  })

  it('stops at a flood, which is then a gap and not thousands of events', async () => {
    const clock = manualClock()
    let last = 0
    const flood: Source<number> = async (see, signal) => {
      for (let i = 0; !signal.aborted && i < 100_000; i += 1) {
        last += 1
        see(last)
      }
    }
    const { seen, gaps, set } = watch([numbers(flood, clock)], clock)
    await clock.advance(1500)
    await set.stop()
    expect(gaps[0]).toMatchObject({ observer: 'clock', why: 'more changes in a minute than can be told one by one' })
    expect(seen.length % 300).toBe(0)
    expect(seen.length).toBeLessThanOrEqual(900)
  })

  it('tells of many changes that come slowly enough', async () => {
    const clock = manualClock()
    let now = 0
    const source = polled(async () => (now += 1), 1000, clock)
    const { seen, gaps, set } = watch([numbers(source, clock)], clock)
    await clock.advance(599_000)
    await set.stop()
    expect({ told: seen.length, gaps }).toEqual({ told: 600, gaps: [] })
  })
})
