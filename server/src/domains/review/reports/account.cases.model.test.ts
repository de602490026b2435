import { lengthOf, sessionConfig } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import { buildSession, consentTo, startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import { accountOf } from './account.model.ts'
import type { AccountInput, HeldObject } from './account.types.ts'

const at = (seconds: number) => startedAt + Math.round(seconds * 1000)
const iso = (seconds: number) => new Date(at(seconds)).toISOString()
const ended = buildSession({ state: 'ended', endedAt: at(100) })
const place = { lane: 'screen', displayId: '' } as const
const seen = (from: number, to: number, fields: Partial<LaneWindow> = {}): LaneWindow => ({
  ...place,
  fromAt: at(from),
  toAt: at(to),
  expectedSeconds: to - from,
  observedSeconds: to - from,
  ...fields,
})
const missed = (from: number, to: number, fields: Partial<LaneGap> = {}): LaneGap => ({
  ...place,
  fromAt: at(from),
  toAt: at(to),
  reason: 'agent_stopped',
  ...fields,
})
const still = (seconds: number, source: HeldObject['source'] = 'screen'): HeldObject => ({
  evidenceType: 'screenshot',
  source,
  capturedAt: at(seconds),
  durationMs: null,
})
const of = (input: Partial<AccountInput>, source = 'screen') => {
  const found = accountOf({ session: ended, windows: [], gaps: [], objects: [], ...input }).find(
    (one) => one.source === source,
  )
  if (!found) throw new Error(`no account of ${source}`)
  return found
}
const shown = (input: Partial<AccountInput>, source = 'screen') =>
  of(input, source).stretches.map(({ fromAt, toAt, state, reason, held }) => [
    ...[(fromAt - startedAt) / 1000, (toAt - startedAt) / 1000, reason ?? state],
    ...(held ? ['held'] : []),
  ])

describe('an account', () => {
  it('takes what a killed agent lost out of what it had reported', () => {
    const windows = [seen(19.97, 30.08), seen(42.41, 100)]
    const { expectedMs, observedMs } = of({ windows, gaps: [missed(26.45, 38.89)] })
    expect([expectedMs, observedMs]).toEqual([100_000, 6480 + 57_590])
    expect(shown({ windows, gaps: [missed(26.45, 38.89)] })).toEqual([
      [0, 19.97, 'not_reported'],
      [19.97, 26.45, 'observed'],
      [26.45, 38.89, 'agent_stopped'],
      [38.89, 42.41, 'not_reported'],
      [42.41, 100, 'observed'],
    ])
  })

  it('joins what is of one kind and less than a second apart, and no more', () => {
    expect(shown({ windows: [seen(0, 30), seen(30.999, 60), seen(61, 100)] })).toEqual([
      [0, 60, 'observed'],
      [60, 61, 'not_reported'],
      [61, 100, 'observed'],
    ])
    // A gap that was told is one, however short.
    expect(shown({ windows: [seen(0, 100)], gaps: [missed(50, 50.1)] })).toHaveLength(3)
  })

  it('puts what a window did not observe at its end, unless another window observed that', () => {
    const short = seen(0, 50, { observedSeconds: 40 })
    expect(shown({ windows: [short, seen(50, 100)] })).toEqual([
      [0, 40, 'observed'],
      [40, 50, 'not_reported'],
      [50, 100, 'observed'],
    ])
    expect(shown({ windows: [short, seen(45, 100)] })[1]).toEqual([40, 45, 'not_reported'])
    // The gap within it is what it did not observe.
    expect(shown({ windows: [short, seen(50, 100)], gaps: [missed(20, 30)] })).toEqual([
      [0, 20, 'observed'],
      [20, 30, 'agent_stopped'],
      [30, 100, 'observed'],
    ])
  })

  it('ends with the consent and with the policy, and says which', () => {
    const { lanes, ...rest } = consentTo('screen')
    const screen = { granted: true, at: iso(10), withdrawnAt: iso(60) }
    const withdrawn = buildSession({ ...ended, consent: { ...rest, lanes: { ...lanes, screen } } })
    expect(shown({ session: withdrawn, windows: [seen(0, 100)] })).toEqual([
      [10, 60, 'observed'],
      [60, 100, 'declined'],
    ])
    const config = sessionConfig.parse({ capture: { enabled: false } })
    const off = buildSession({ ...ended, config, lanesOff: { screen: at(70) } })
    expect(shown({ session: off, windows: [seen(0, 70)] })).toEqual([
      [0, 70, 'observed'],
      [70, 100, 'not_wanted'],
    ])
  })

  it('expects nothing of a pause, and lists it', () => {
    const account = of({ windows: [seen(0, 100)], gaps: [missed(20, 50, { reason: 'paused' })] })
    expect(account).toMatchObject({ expectedMs: 70_000, observedMs: 70_000 })
    expect(account.stretches.map(({ state }) => state)).toEqual(['observed', 'paused', 'observed'])
  })

  it('ignores what a clock that is wrong puts outside of the session', () => {
    expect(shown({ windows: [seen(-500, -400), seen(-5, 100), seen(90, 4000)] })).toEqual([[0, 100, 'observed']])
  })

  it('of a running session reaches to what was told last', () => {
    const session = buildSession()
    expect(shown({ session, windows: [seen(0, 30), seen(40, 50)] })).toEqual([
      [0, 30, 'observed'],
      [30, 40, 'not_reported'],
      [40, 50, 'observed'],
    ])
    expect(shown({ session })).toEqual([])
  })
})

describe('what is held', () => {
  it('of a lane without an object is nothing, whatever was reported', () => {
    expect(of({ windows: [seen(0, 100)] })).toMatchObject({ observedMs: 100_000, heldMs: 0 })
  })

  it('by a still lasts while nothing interrupts, at most to the next key frame', () => {
    const windows = [seen(0, 100)]
    expect(shown({ windows, objects: [still(10)], gaps: [missed(40, 50)] })).toEqual([
      [0, 10, 'observed'],
      [10, 40, 'observed', 'held'],
      [40, 50, 'agent_stopped'],
      [50, 100, 'observed'],
    ])
    const long = buildSession({ state: 'ended', endedAt: at(1000) })
    expect(of({ session: long, windows: [seen(0, 1000)], objects: [still(0)] }).heldMs).toBe(300_000)
  })

  it('by recordings is their length', () => {
    const sound = (from: number, ms: number | null): HeldObject => ({
      evidenceType: 'audio_chunk',
      source: 'microphone',
      capturedAt: at(from),
      durationMs: ms,
    })
    const windows = [seen(0, 100, { lane: 'microphone' })]
    expect(of({ windows, objects: [sound(0, 8000), sound(8.02, 10_000), sound(50, null)] }, 'microphone').heldMs).toBe(
      18_020 + 10_000,
    )
  })

  it('and was not reported counts as seen by the service', () => {
    expect(shown({ objects: [still(0), still(10), still(90)] })).toEqual([
      [0, 40, 'observed', 'held'],
      [40, 90, 'not_reported'],
      [90, 100, 'observed', 'held'],
    ])
    expect(of({ objects: [still(0)] }).stretches[0]?.reportedBy).toBe('service')
  })
})

describe('sources', () => {
  const windows = [seen(0, 100, { displayId: 'a' }), seen(30, 60, { displayId: 'b' })]

  it('are told apart, and the lane is observed where any display is', () => {
    const gaps = [missed(40, 50, { displayId: 'a', reason: 'driver_failed' })]
    expect(shown({ windows, gaps })).toEqual([[0, 100, 'observed']])
    expect(shown({ windows, gaps }, 'screen:a')[1]).toEqual([40, 50, 'driver_failed'])
    // A display that is not there is not missed.
    expect(shown({ windows, gaps }, 'screen:b')).toEqual([
      [0, 30, 'not_wanted'],
      [30, 60, 'observed'],
      [60, 100, 'not_wanted'],
    ])
  })

  it('share the gaps of the whole lane', () => {
    const gaps = [missed(80, 90)]
    for (const source of ['screen', 'screen:a', 'screen:b'])
      expect(shown({ windows, gaps }, source)).toContainEqual([80, 90, 'agent_stopped'])
  })

  it('of the room are a lane of their own, seen in its pictures', () => {
    const session = buildSession({ ...ended, consent: consentTo('screen', 'room_camera') })
    const room: HeldObject = { ...still(20, 'room_camera'), evidenceType: 'camera_frame' }
    const account = of({ session, objects: [room] }, 'room_camera')
    expect(account).toMatchObject({ lane: 'room_camera', expectedMs: 100_000, observedMs: 45_000, heldMs: 45_000 })
    expect(account.stretches[1]?.reportedBy).toBe('room')
    expect(lengthOf(account.stretches)).toBe(100_000)
    expect(of({ session }, 'camera').stretches).toEqual([])
  })
})
