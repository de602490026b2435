import { observerNames, sessionConfig } from '@integrity/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import type { Observation } from '../../core/observers/types.ts'
import { systemClock } from '../../shared/clock.ts'
import type { HelperTopic } from '../desktop-helper/helper-lines.ts'
import { MachineObservers } from './machine-observers.ts'

let observers: MachineObservers
afterEach(() => observers.stop())

describe('the observers of this machine', () => {
  it('note the title of the window in front only while the policy has it, also when that changes', async () => {
    const front = { application: 'Notes', title: 'A title' }
    const helper = {
      probe: async () => ({ status: 'observable' as const }),
      source: (topic: HelperTopic) => async (see: (state: never) => void, signal: AbortSignal) => {
        if (topic === 'foreground') see(front as never)
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true })
        })
      },
    }
    observers = new MachineObservers(systemClock, { platform: 'win32', helper })
    const told: Observation[] = []
    const sink = { emit: (one: Observation) => void told.push(one), gap: () => undefined }
    const fronts = () => told.filter(({ kind }) => kind === 'foreground.changed').map(({ data }) => data.value)
    const policy = (windowTitles: boolean) => sessionConfig.parse({ windowTitles })
    await observers.start(sink, policy(false))
    await until('the program in front', () => fronts().length === 1)
    await observers.start(sink, policy(false))
    await observers.start(sink, policy(true))
    await until('its title', () => fronts().length === 2)
    await observers.start(sink, policy(false))
    await until('the program alone', () => fronts().length === 3)
    expect(fronts()).toEqual([{ application: 'Notes' }, front, { application: 'Notes' }])
  })

  it('does not start what the policy has off, also when that comes later, and goes on with the others', async () => {
    const looked: string[] = []
    const helper = {
      probe: async () => ({ status: 'observable' as const }),
      source: (topic: HelperTopic) => async (see: (state: never) => void, signal: AbortSignal) => {
        looked.push(topic)
        if (topic === 'foreground') see({ application: 'Notes', title: null } as never)
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true })
        })
      },
    }
    observers = new MachineObservers(systemClock, { platform: 'win32', helper })
    const told: Observation[] = []
    const sink = { emit: (one: Observation) => void told.push(one), gap: () => undefined }
    const policy = (...observersOff: string[]) => sessionConfig.parse({ observersOff })
    await observers.start(sink, policy('foreground', 'displays'))
    await until('another observer', () => looked.includes('clipboard'))
    expect(looked).not.toContain('foreground')
    expect(told.filter(({ source }) => source === 'foreground' || source === 'displays')).toEqual([])
    await observers.start(sink, policy('displays'))
    await until('the program in front', () => told.some(({ source }) => source === 'foreground'))
    looked.length = 0
    await observers.start(sink, policy('displays', 'clipboard'))
    await until('it again', () => looked.includes('foreground'))
    expect(looked).not.toContain('clipboard')
  })

  it('are told of the pictures of the camera, and say when they stay the same', async () => {
    observers = new MachineObservers(systemClock, { platform: 'linux', env: {} })
    const told: Observation[] = []
    const observersOff = observerNames.filter((name) => name !== 'picture_unchanged')
    const sink = { emit: (one: Observation) => void told.push(one), gap: () => undefined }
    await observers.start(sink, sessionConfig.parse({ observersOff }))
    let mono = 0
    // The observer hears of no look that was taken before it began.
    await until('a minute of one picture', () => {
      mono += 10_000
      observers.looked({ mono, mark: 'one', varies: true })
      return told.length > 0
    })
    expect(told).toMatchObject([{ kind: 'picture.unchanged_started', source: 'picture_unchanged' }])
  })
})
