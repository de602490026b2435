import { describe, expect, it } from 'vitest'
import { manualClock, settle } from '../../../test/test-support/manual-clock.ts'
import { createClockObserver } from '../../machine/observers/clock-jumps.ts'
import { createNetworkObserver } from '../../machine/observers/network.ts'
import { createAbsentObserver } from './not-observable.ts'
import { createObserverSet } from './observer-set.ts'
import { wayOf } from './observer-table.ts'
import { createSampledObserver } from './sampled-observer.ts'
import type { Observation, Observer, ObserverGap } from './types.ts'

const setUp = (make: (clock: ReturnType<typeof manualClock>) => Observer[]) => {
  const clock = manualClock()
  const seen: Observation[] = []
  const gaps: ObserverGap[] = []
  const set = createObserverSet({
    observers: make(clock),
    clock,
    random: () => 1,
    emit: (observation) => {
      seen.push(observation)
    },
    onGap: (gap) => {
      gaps.push(gap)
    },
  })
  set.start()
  return { clock, seen, gaps, set }
}

describe('the clock observer', () => {
  it('reports a wall clock that was moved, either way, and not one that drifts', async () => {
    const { clock, seen, set } = setUp((given) => [
      createClockObserver({ clock: given, steadyMs: () => given.monotonicMs() }),
    ])
    await clock.advance(12_000)
    clock.jumpWall(90_000)
    await clock.advance(5000)
    clock.jumpWall(-3_600_000)
    await clock.advance(5000)
    for (let i = 0; i < 10; i += 1) {
      clock.jumpWall(500)
      await clock.advance(5000)
    }
    await set.stop()
    expect(seen.map(({ kind, data }) => ({ kind, value: data.value }))).toEqual([
      { kind: 'clock.jumped', value: { jumpMs: 90_000 } },
      { kind: 'clock.jumped', value: { jumpMs: -3_600_000 } },
    ])
  })
})

describe('the clock observer and sleep', () => {
  it('takes a sleep for no change of the clock, on a machine whose monotonic clock stands still meanwhile', async () => {
    let asleep = 0
    const { clock, seen, set } = setUp((given) => [
      createClockObserver({ clock: given, steadyMs: () => given.monotonicMs() + asleep }),
    ])
    await clock.advance(7000)
    asleep += 600_000
    clock.jumpWall(600_000)
    await clock.advance(10_000)
    await set.stop()
    expect(seen).toEqual([])
  })
})

describe('the network observer', () => {
  it('reports interfaces that come and go, without addresses', async () => {
    const address = { family: 'IPv4', internal: false, address: '192.0.2.7' } as const
    let interfaces: Record<string, (typeof address)[]> = { eth0: [address] }
    const observer = createNetworkObserver({ intervalMs: 20, interfaces: () => interfaces })
    const seen: unknown[] = []
    const controller = new AbortController()
    const { promise: changed, resolve } = Promise.withResolvers<void>()
    const done = observer.start((change) => {
      seen.push(change)
      if (seen.length === 1) interfaces = { eth0: [address], tun0: [address] }
      if (seen.length === 2) resolve()
    }, controller.signal)
    await changed
    controller.abort()
    await done
    expect(seen).toMatchObject([
      { kind: 'network.changed', value: [{ interface: 'eth0', families: ['IPv4'] }], sinceBeforeSession: true },
      {
        kind: 'network.changed',
        value: [{ interface: 'eth0' }, { interface: 'tun0' }],
        baseline: [{ interface: 'eth0' }],
      },
    ])
    expect(JSON.stringify(seen)).not.toContain('192.0.2.7')
  })
})

describe('a set of observers', () => {
  it('turns the time in which an observer failed into a gap, and starts it again', async () => {
    let starts = 0
    const flaky: Observer = {
      name: 'virtual_machine',
      version: 3,
      method: 'by hand',
      intervalMs: 0,
      probe: async () => ({ status: 'observable' }),
      start: async (emit, signal) => {
        starts += 1
        emit({ kind: 'vm.hint', value: { from: 'test', value: `${starts}` }, sinceBeforeSession: true })
        if (starts === 1) throw new Error('lost sight')
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
      },
    }
    const { clock, seen, gaps, set } = setUp(() => [flaky])
    const from = clock.wallMs()
    await clock.advance(2000)
    await settle()
    expect(gaps).toEqual([{ observer: 'virtual_machine', from, to: from + 2000, why: 'lost sight' }])
    expect(seen[0]).toEqual({
      kind: 'vm.hint',
      observedAt: from,
      monotonicMs: 0,
      source: 'virtual_machine',
      data: { observerVersion: 3, method: 'by hand', value: { from: 'test', value: '1' }, sinceBeforeSession: true },
    })
    // What is found after a failure may be new: it is not said to be older than the session.
    expect(seen[1]!.data).toEqual({ observerVersion: 3, method: 'by hand', value: { from: 'test', value: '2' } })
    await set.stop()
  })

  it('tells after a failure only what differs from what was told before it', async () => {
    const screen = (id: string) => ({ id, x: 0, y: 0, width: 800, height: 600, primary: id === '1' })
    let there = ['1', '2', '3']
    let fail: (reason: Error) => void = () => undefined
    const observer = createSampledObserver<readonly string[]>({
      name: 'displays',
      version: 1,
      way: wayOf('displays', 'linux'),
      probe: async () => ({ status: 'observable' }),
      source: (see, signal) => {
        see(there)
        if (there.length === 3) see(there.slice(0, 2))
        return new Promise<void>((resolve, reject) => {
          signal.addEventListener('abort', () => resolve(), { once: true })
          fail = reject
        })
      },
      initial: (state) => state.map((id) => ({ kind: 'display.added', value: screen(id) })),
      changes: (before, now) =>
        before.filter((id) => !now.includes(id)).map((id) => ({ kind: 'display.removed', value: screen(id) })),
    })
    const { clock, seen, set } = setUp(() => [observer])
    await settle()
    there = ['1', '2', '3', '4']
    fail(new Error('lost sight'))
    await settle()
    await clock.advance(2000)
    await settle()
    await set.stop()
    expect(
      seen.map(({ kind, data }) => [kind, (data.value as { id: string }).id, data.sinceBeforeSession ?? false]),
    ).toEqual([
      ...['1', '2', '3'].map((id) => ['display.added', id, true]),
      ['display.removed', '3', false],
      ['display.added', '3', false],
      ['display.added', '4', false],
    ])
  })

  it('covers the whole session with a gap where nothing can be observed', async () => {
    const { clock, gaps, set } = setUp(() => [createAbsentObserver('screen_lock', 'none', 'not on this platform')])
    expect(await set.capabilities()).toEqual([
      { observer: 'screen_lock', status: 'not_observable', why: 'not on this platform' },
    ])
    const from = clock.wallMs()
    await clock.advance(100_000)
    await set.stop()
    expect(gaps).toEqual([{ observer: 'screen_lock', from, to: from + 100_000, why: 'not on this platform' }])
  })
})
