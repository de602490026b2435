import { describe, expect, it } from 'vitest'
import type { LaneWindow } from '../lanes/lanes.types.ts'
import { recordingAround } from './moments.around.model.ts'
import { aGap, aLane, at, facts } from './moments.test-support.ts'

const window = (from: number, to: number, observedSeconds: number, displayId = ''): LaneWindow => ({
  ...{ lane: 'screen', displayId, fromAt: at(from), toAt: at(to) },
  ...{ expectedSeconds: to - from, observedSeconds },
})
const around = (one: Parameters<typeof facts>[0], from: number, to: number | null = null) =>
  recordingAround(facts(one))({ at: at(from), untilAt: to === null ? null : at(to) })

describe('what was recorded around a moment', () => {
  const coverage = [aLane('screen', [aGap(100, 110), aGap(300, 400, { reason: 'paused' })])]

  it('reaches from half a minute before it to half a minute after it, and says why not all', () => {
    const windows = [window(0, 100, 100), window(110, 200, 45)]
    expect(around({ coverage, windows }, 110, 120)).toEqual([
      { lane: 'screen', declined: false, seconds: 70, observed: 40, gaps: ['offline'] },
    ])
  })

  it('counts nothing outside of the session', () => {
    expect(around({ coverage, windows: [window(0, 100, 100)] }, 10)[0]).toMatchObject({ seconds: 40, observed: 40 })
    expect(around({ coverage }, 590)[0]).toMatchObject({ seconds: 40, observed: 0 })
    expect(around({ coverage }, 900)[0]).toMatchObject({ seconds: 0, observed: 0, gaps: [] })
  })

  it('counts a lane once, whatever its displays say', () => {
    const windows = [window(0, 600, 300, 'b'), window(0, 600, 600, 'a')]
    expect(around({ coverage, windows }, 200)[0]).toMatchObject({ seconds: 60, observed: 60 })
  })

  it('names a declined lane as declined, and none that the policy has off', () => {
    const lanes = [aLane('camera', [], { declined: true }), aLane('microphone', [], { enabled: false })]
    expect(around({ coverage: lanes }, 200)).toEqual([
      { lane: 'camera', declined: true, seconds: 60, observed: 0, gaps: [] },
    ])
  })
})
