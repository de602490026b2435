import { describe, expect, it } from 'vitest'
import { buildSession } from '../../interviews/sessions/build-session.test-support.ts'
import { accountOf } from './account.model.ts'
import type { AccountInput } from './account.types.ts'
import { coverageOf } from './coverage.model.ts'
import { recordingAround } from './moments.around.model.ts'
import { aLane, at, facts } from './moments.test-support.ts'

const session = buildSession({ state: 'ended', endedAt: at(600) })
const window = (from: number, to: number, displayId = '', seen = 1): AccountInput['windows'][number] => ({
  lane: 'screen',
  displayId,
  fromAt: at(from),
  toAt: at(to),
  expectedSeconds: to - from,
  observedSeconds: (to - from) * seen,
})
const gap = (from: number, to: number, reason: 'offline' | 'paused'): AccountInput['gaps'][number] => ({
  lane: 'screen',
  displayId: '',
  fromAt: at(from),
  toAt: at(to),
  reason,
})
const around = (windows: AccountInput['windows'], from: number, to: number | null = null) => {
  const gaps = [gap(100, 110, 'offline'), gap(300, 400, 'paused')]
  const sources = accountOf({ session, windows, gaps, objects: [] })
  const coverage = coverageOf(session, sources).filter(({ lane }) => lane === 'screen')
  return recordingAround(facts({ sources, coverage }))({ at: at(from), untilAt: to === null ? null : at(to) })
}

describe('what was recorded around a moment', () => {
  it('reaches from half a minute before it to half a minute after it, and says why not all', () => {
    expect(around([window(0, 100), window(110, 130)], 110, 120)).toEqual([
      { lane: 'screen', declined: false, seconds: 70, observed: 40, gaps: ['not_reported', 'offline'] },
    ])
  })

  it('counts nothing outside of the session', () => {
    expect(around([window(0, 100)], 10)[0]).toMatchObject({ seconds: 40, observed: 40 })
    expect(around([], 590)[0]).toMatchObject({ seconds: 40, observed: 0 })
    expect(around([], 900)[0]).toMatchObject({ seconds: 0, observed: 0, gaps: [] })
  })

  it('counts a lane once, whatever its displays say', () => {
    expect(around([window(0, 600, 'b', 0.5), window(0, 600, 'a')], 200)[0]).toMatchObject({ seconds: 60, observed: 60 })
  })

  it('names a declined lane as declined, and none that the policy has off', () => {
    const coverage = [aLane('camera', [], { declined: true }), aLane('microphone', [], { enabled: false })]
    expect(recordingAround(facts({ coverage }))({ at: at(200), untilAt: null })).toEqual([
      { lane: 'camera', declined: true, seconds: 60, observed: 0, gaps: [] },
    ])
  })
})
