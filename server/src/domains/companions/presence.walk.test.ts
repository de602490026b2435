import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PhoneState, type WalkedBeat, walkBeats } from './presence.walk.ts'

const quiet: PhoneState = { recording: 'off', interruptedAt: null, lastBeatAt: null }
const beat = (at: number, recording: WalkedBeat['recording'] = 'on'): WalkedBeat => ({ at, recording })
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

describe('the beats of a phone', () => {
  it('tell when recording starts and stops, once', () => {
    const { events, state } = walkBeats(quiet, [beat(1), beat(2), beat(3, 'off'), beat(4, 'off')])
    expect(events).toEqual([
      { type: 'recording_started', at: 1 },
      { type: 'recording_stopped', at: 3 },
    ])
    expect(state).toEqual({ recording: 'off', interruptedAt: null, lastBeatAt: 4 })
  })

  it('tell of an interruption once, and of the return once', () => {
    const walked = walkBeats(quiet, [beat(1), beat(2, 'interrupted'), beat(3, 'interrupted'), beat(4)])
    expect(typesOf(walked.events)).toEqual(['recording_started', 'interrupted', 'resumed'])
    expect(walkBeats(walked.state, [beat(5)]).events).toEqual([])
  })

  it('tell that recording stopped when the phone comes back without it', () => {
    const { events } = walkBeats({ recording: 'on', interruptedAt: 5, lastBeatAt: 4 }, [beat(9, 'off')])
    expect(events).toEqual([
      { type: 'resumed', at: 9 },
      { type: 'recording_stopped', at: 9 },
    ])
  })

  it('are walked in their own order, and one that is not newer changes nothing', () => {
    const { state } = walkBeats(quiet, [beat(10), beat(20)])
    expect(walkBeats(state, [beat(15, 'interrupted'), beat(20, 'off')])).toEqual({ state, events: [] })
    expect(walkBeats(quiet, [beat(2, 'off'), beat(1)]).events).toEqual([
      { type: 'recording_started', at: 1 },
      { type: 'recording_stopped', at: 2 },
    ])
  })

  it('that were queued before a silence was noticed do not end it before it began', () => {
    const { events } = walkBeats({ recording: 'on', interruptedAt: 100, lastBeatAt: 50 }, [beat(60), beat(70)])
    expect(events).toEqual([{ type: 'resumed', at: 100 }])
  })

  it('never tell of two interruptions or two returns in a row, however they are cut into batches', () => {
    const beats = fc.array(
      fc.record({ at: fc.nat(50), recording: fc.constantFrom('off' as const, 'on' as const, 'interrupted' as const) }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(beats, fc.nat(30), (all, cut) => {
        const first = walkBeats(quiet, all.slice(0, cut))
        const second = walkBeats(first.state, all.slice(cut))
        const told = typesOf([...first.events, ...second.events]).filter((type) => /interrupted|resumed/.test(type))
        expect(told).toEqual(told.map((_type, index) => (index % 2 === 0 ? 'interrupted' : 'resumed')))
      }),
    )
  })
})
