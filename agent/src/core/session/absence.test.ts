import { describe, expect, it } from 'vitest'
import type { LastSample } from '../spool/spool-index.ts'
import { absences } from './absence.ts'

const before = { samples: [], heartbeat: undefined, registeredAt: undefined }

describe('absences', () => {
  it('runs from the last sample of a lane and of each of its displays to now', () => {
    const samples: LastSample[] = [
      { lane: 'microphone', displayId: undefined, lastAt: 98_000 },
      { lane: 'screen', displayId: ':1.0', lastAt: 99_000 },
      { lane: 'screen', displayId: ':1.1', lastAt: 97_000 },
    ]
    expect(absences(['screen', 'microphone'], { ...before, samples, heartbeat: 99_500 }, 10_000, 150_000)).toEqual([
      { lane: 'screen', from: 99_000, to: 150_000 },
      { lane: 'screen', displayId: ':1.0', from: 99_000, to: 150_000 },
      { lane: 'screen', displayId: ':1.1', from: 97_000, to: 150_000 },
      { lane: 'microphone', from: 98_000, to: 150_000 },
    ])
  })

  it('says nothing of a display that had gone long before the agent did', () => {
    const samples: LastSample[] = [
      { lane: 'screen', displayId: ':1.0', lastAt: 990_000 },
      { lane: 'screen', displayId: ':1.1', lastAt: 100_000 },
    ]
    const found = absences(['screen'], { ...before, samples, heartbeat: 991_000 }, 10_000, 1_100_000)
    expect(found.map((absence) => absence.displayId)).toEqual([undefined, ':1.0'])
  })

  it('counts a lane without any sample from the last heartbeat, else from the registration', () => {
    expect(absences(['camera'], { ...before, heartbeat: 5000, registeredAt: 1000 }, 0, 9000)).toEqual([
      { lane: 'camera', from: 5000, to: 9000 },
    ])
    expect(absences(['camera'], { ...before, registeredAt: 1000 }, 0, 9000)).toEqual([
      { lane: 'camera', from: 1000, to: 9000 },
    ])
  })

  it('does not report a lane that should not have run, nor a moment', () => {
    const samples: LastSample[] = [{ lane: 'screen', displayId: undefined, lastAt: 8500 }]
    expect(absences(['screen'], { ...before, samples }, 0, 9000)).toEqual([])
    const second: LastSample[] = [{ lane: 'screen', displayId: undefined, lastAt: 8000 }]
    expect(absences(['screen'], { ...before, samples: second }, 0, 9000)).toHaveLength(1)
    expect(absences([], { ...before, samples }, 0, 90_000)).toEqual([])
  })
})
