import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PhoneEvent, type PhoneState, settledChanges, type WalkedBeat, walkBeats } from './presence.model.ts'

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

  it('never tell of two interruptions or two returns in a row, however they come in batches and whenever silence falls', () => {
    const some = fc.array(
      fc.record({ at: fc.nat(50), recording: fc.constantFrom('off' as const, 'on' as const, 'interrupted' as const) }),
      { maxLength: 10 },
    )
    const silence = fc.record({ silentSince: fc.nat(50) })
    fc.assert(
      fc.property(fc.array(fc.oneof(some, silence), { maxLength: 10 }), (happened) => {
        let state = quiet
        const told: PhoneEvent[] = []
        for (const one of happened) {
          if (Array.isArray(one)) {
            const walked = walkBeats(state, one)
            state = walked.state
            told.push(...walked.events)
          } else if (state.interruptedAt === null) {
            // As `lookAfterPhone` notices it.
            state = { ...state, interruptedAt: one.silentSince }
            told.push({ type: 'interrupted', at: one.silentSince })
          }
        }
        const gaps = told.filter(({ type }) => /interrupted|resumed/.test(type))
        expect(typesOf(gaps)).toEqual(gaps.map((_event, index) => (index % 2 === 0 ? 'interrupted' : 'resumed')))
        for (const [index, { at }] of gaps.entries())
          if (index % 2 === 1) expect(at).toBeGreaterThanOrEqual(gaps[index - 1]?.at ?? 0)
      }),
    )
  })
})

describe('what is told of changes that have settled', () => {
  const changes = fc.array(fc.constantFrom('recording' as const, 'interruption' as const), { maxLength: 12 })
  const other = {
    recording: { off: 'recording_started', on: 'recording_stopped' },
    interruption: { off: 'interrupted', on: 'resumed' },
  } as const

  it('goes there and back in turns, ends where the changes ended, and is at most one way there and back of each', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 5 }), (batches) => {
        const state = { recording: 'off' as 'off' | 'on', interruption: 'off' as 'off' | 'on' }
        let untold: PhoneEvent[] = []
        let at = 0
        for (const batch of batches) {
          const events = batch.map((what): PhoneEvent => {
            const type = other[what][state[what]]
            state[what] = state[what] === 'off' ? 'on' : 'off'
            at += 1
            return { type, at }
          })
          untold = settledChanges([...untold, ...events])
        }
        for (const what of ['recording', 'interruption'] as const) {
          const types = Object.values(other[what]) as string[]
          const told = untold.filter(({ type }) => types.includes(type)).map(({ type }) => type)
          expect(told.length).toBeLessThanOrEqual(2)
          if (told.length === 2) expect(told).toEqual([other[what].off, other[what].on])
          expect(told.length % 2 === 1).toBe(state[what] === 'on')
        }
        expect(untold.map((event) => event.at)).toEqual(untold.map((event) => event.at).toSorted((a, b) => a - b))
      }),
    )
  })
})
