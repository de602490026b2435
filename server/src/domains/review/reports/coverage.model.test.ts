import { type LaneName, sessionConfig } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import { buildSession, consentTo, startedAt } from '../../interviews/sessions/build-session.test-support.ts'
import { accountOf } from './account.model.ts'
import type { AccountInput } from './account.types.ts'
import { coverageOf } from './coverage.model.ts'

const second = 1000
const at = (seconds: number) => startedAt + seconds * second
const iso = (seconds: number) => new Date(at(seconds)).toISOString()
const windowOf = (from: number, to: number, fields: Partial<LaneWindow> = {}): LaneWindow => ({
  lane: 'screen',
  displayId: '',
  fromAt: at(from),
  toAt: at(to),
  expectedSeconds: to - from,
  observedSeconds: to - from,
  ...fields,
})
const gapOf = (from: number, to: number, fields: Partial<LaneGap> = {}): LaneGap => ({
  lane: 'screen',
  displayId: '',
  fromAt: at(from),
  toAt: at(to),
  reason: 'offline',
  ...fields,
})
const ended = buildSession({ state: 'ended', endedAt: at(100) })
interface Input extends Omit<AccountInput, 'objects' | 'session'> {
  readonly session: ReturnType<typeof buildSession>
  readonly objects: ReadonlyMap<LaneName, number>
}
const of = (input: Partial<Input>, lane: LaneName = 'screen') => {
  const { objects, session = ended, ...told } = input
  const sources = accountOf({ windows: [], gaps: [], objects: [], ...told, session })
  return coverageOf(session, sources, objects).find((entry) => entry.lane === lane)
}

describe('coverage', () => {
  it('counts nothing after the end: windows and gaps are cut there', () => {
    const windows = [windowOf(0, 96), windowOf(96, 106, { observedSeconds: 5 }), windowOf(106, 110)]
    const gaps = [gapOf(98, 120, { reason: 'unplugged' }), gapOf(104, 112, { reason: 'paused' })]
    expect(of({ windows, gaps })).toMatchObject({
      expected: 100,
      observed: 98,
      gaps: [{ reason: 'unplugged', fromAt: iso(98), toAt: iso(100), seconds: 2 }],
    })
  })

  it('adds up windows, rounds to tenths, and counts objects', () => {
    const windows = [windowOf(0, 50, { observedSeconds: 49.94 }), windowOf(50, 100, { observedSeconds: 12.31 })]
    expect(of({ windows, objects: new Map([['screen', 7]]) })).toMatchObject({
      expected: 100,
      observed: 62.3,
      objects: 7,
      expectedMs: 100_000,
      observedMs: 62_250,
      heldMs: 0,
      gaps: [
        { fromAt: iso(49.94), toAt: iso(50), reason: 'not_reported' },
        { fromAt: iso(62.31), toAt: iso(100), reason: 'not_reported' },
      ],
    })
  })

  it('lets a gap win over a window, and expects nothing of a pause', () => {
    const input = { windows: [windowOf(0, 40)], gaps: [gapOf(30, 60), gapOf(60, 100, { reason: 'paused' })] }
    expect(of(input)).toMatchObject({
      expectedMs: 60_000,
      observedMs: 30_000,
      account: [
        { fromAt: iso(0), toAt: iso(30), state: 'observed', reason: null, reportedBy: 'agent', held: false },
        { toAt: iso(60), state: 'gap', reason: 'offline' },
        { toAt: iso(100), state: 'paused', reason: 'paused' },
      ],
      gaps: [{ reason: 'offline' }, { reason: 'paused' }],
    })
  })

  it('counts time once where gaps of different reasons overlap', () => {
    const gaps = [gapOf(0, 60), gapOf(40, 100, { reason: 'asleep_or_locked' })]
    const lane = of({ gaps })
    expect(lane).toMatchObject({ expected: 100, observed: 0 })
    expect(lane?.gaps.map((gap) => [gap.reason, gap.seconds])).toEqual([
      ['offline', 40],
      ['asleep_or_locked', 60],
    ])
  })

  it('joins gaps of one reason that touch or overlap, and leaves others apart', () => {
    const gaps = [gapOf(50, 60), gapOf(0, 20), gapOf(10, 30), gapOf(30, 40), gapOf(70, 80, { reason: 'paused' })]
    const shown = of({ gaps, windows: [windowOf(80, 100)] })?.gaps.filter((gap) => gap.reason !== 'not_reported')
    expect(shown?.map((gap) => [gap.fromAt, gap.toAt])).toEqual([
      [iso(0), iso(40)],
      [iso(50), iso(60)],
      [iso(70), iso(80)],
    ])
  })

  it('names every silence: short ones at the edges, others as not reported', () => {
    const silences = (...windows: LaneWindow[]) =>
      of({ windows })?.gaps.map((gap) => [gap.fromAt, gap.toAt, gap.reason])
    expect(silences(windowOf(4, 50), windowOf(52, 95))).toEqual([
      [iso(0), iso(4), 'starting'],
      [iso(50), iso(52), 'not_reported'],
      [iso(95), iso(100), 'stopping'],
    ])
    expect(silences(windowOf(15, 85))).toEqual([
      [iso(0), iso(15), 'not_reported'],
      [iso(85), iso(100), 'not_reported'],
    ])
    expect(silences(windowOf(0, 50), windowOf(50.9, 100))).toEqual([])
    expect(of({ session: buildSession() })?.gaps).toEqual([])
    expect(of({})).toMatchObject({ expected: 100, observed: 0, gaps: [{ seconds: 100, reason: 'not_reported' }] })
  })

  it('of a declined lane is no gap', () => {
    const { lanes } = consentTo('camera')
    const screen = { granted: false, at: iso(0), withdrawnAt: null }
    const session = buildSession({ ...ended, consent: { lanes: { ...lanes, screen } } })
    expect(of({ session, gaps: [gapOf(0, 100, { reason: 'declined' })] })).toMatchObject({
      declined: true,
      expected: 0,
      gaps: [],
    })
  })

  it('of a lane that was switched on and not answered yet expects nothing, and is not declined', () => {
    const session = buildSession({ ...ended, consent: consentTo('camera') })
    expect(of({ session })).toMatchObject({ enabled: true, declined: false, expected: 0, gaps: [] })
  })

  it('of a lane that was agreed to in the middle is expected from then on', () => {
    const screen = { granted: true, at: iso(60), withdrawnAt: null }
    const session = buildSession({ ...ended, consent: { lanes: { screen } } })
    expect(of({ session })).toMatchObject({ expected: 40, gaps: [{ fromAt: iso(60), toAt: iso(100) }] })
  })

  it('of a lane that is off, or of a session without consent, expects nothing', () => {
    const off = buildSession({ ...ended, config: sessionConfig.parse({ capture: { enabled: false } }) })
    expect(of({ session: off })).toMatchObject({ enabled: false, declined: false, expected: 0, gaps: [] })
    expect(of({ session: buildSession({ ...ended, consent: null }) })).toMatchObject({
      enabled: true,
      declined: false,
      gaps: [],
    })
  })

  it('counts the phone only from what it said, and has it declined only by its own answer', () => {
    const config = sessionConfig.parse({ sideView: { enabled: true } })
    const asked = buildSession({ ...ended, config })
    expect(of({ session: asked }, 'side_view')).toMatchObject({ enabled: true, declined: false, expected: 0, gaps: [] })
    expect(of({}, 'side_view')).toMatchObject({ enabled: false, declined: false, expected: 0, gaps: [] })

    const beats = [0, 10, 20, 30].map((s) => ({ at: at(s), recording: 'on' as const, reason: null, orientation: null }))
    const sideView = {
      phones: [{ pairedAt: at(-60), endedAt: null, beats }],
      answers: [{ granted: true, at: at(-30) }],
    }
    const session = { ...asked, consent: consentTo('screen', 'side_view') }
    const objects = new Map<LaneName, number>([['side_view', 3]])
    expect(of({ session, sideView, objects }, 'side_view')).toMatchObject({
      declined: false,
      expected: 100,
      observed: 30,
      objects: 3,
      gaps: [{ fromAt: iso(30), toAt: iso(100), seconds: 70, reason: 'not_reported' }],
    })
    const lanes = { side_view: { granted: false, at: iso(50), withdrawnAt: null } }
    const answers = [...sideView.answers, { granted: false, at: at(50) }]
    const declined = { session: { ...asked, consent: { lanes } }, sideView: { ...sideView, answers } }
    expect(of(declined, 'side_view')).toMatchObject({ declined: true, expected: 50, observed: 50, gaps: [] })
    // The phone may have answered before the agent has asked for its lanes.
    expect(of(declined, 'screen')).toMatchObject({ declined: false })
  })

  it('lists the gap of a display only where it says more than the whole lane does', () => {
    const ofDisplay = (from: number, to: number, fields: Partial<LaneGap> = {}) =>
      gapOf(from, to, { displayId: 'a', ...fields })
    const more = [ofDisplay(5, 15), ofDisplay(22, 26, { reason: 'unplugged' }), ofDisplay(60, 70)]
    const gaps = [gapOf(10, 20), gapOf(20, 30), ofDisplay(10, 20), ofDisplay(24, 30), gapOf(80, 90), ...more]
    const shown = of({ gaps, windows: [windowOf(0, 100)] })?.gaps
    expect(shown?.map(({ displayId, fromAt }) => [displayId, fromAt])).toEqual([
      ['a', iso(5)],
      [null, iso(10)],
      ['a', iso(22)],
      ['a', iso(60)],
      [null, iso(80)],
    ])
  })

  it('keeps the windows and gaps of a lane apart from those of others', () => {
    const windows = [windowOf(0, 100), windowOf(0, 100, { lane: 'camera', observedSeconds: 3 })]
    expect(of({ windows })).toMatchObject({ observed: 100 })
    expect(of({ windows }, 'camera')).toMatchObject({ observed: 3 })
  })

  it('lists displays in order, and takes the first for the lane when the lane itself says nothing', () => {
    const windows = [
      windowOf(0, 100, { displayId: 'b', observedSeconds: 5 }),
      windowOf(0, 100, { displayId: 'a', observedSeconds: 90 }),
    ]
    expect(of({ windows })).toMatchObject({
      observed: 90,
      displays: [
        { displayId: 'a', observed: 90 },
        { displayId: 'b', observed: 5 },
      ],
    })
    expect(of({ windows: [...windows, windowOf(0, 100, { observedSeconds: 70 })] })).toMatchObject({ observed: 70 })
  })

  it('never observes more than it expects when windows do not, and never expects more than the session lasted', () => {
    const spans = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 1, max: 10 }),
        fc.constantFrom('offline', 'paused', 'unplugged'),
      ),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(spans, fc.integer({ min: 0, max: 100 }), (gaps, until) => {
        const input = {
          windows: until === 0 ? [] : [windowOf(0, until)],
          gaps: gaps.map(([from, length, reason]) =>
            gapOf(from, from + length, { reason: reason as LaneGap['reason'] }),
          ),
        }
        const lane = of(input)
        expect(lane?.observed).toBeLessThanOrEqual(lane?.expected ?? 0)
        expect(lane?.expected).toBeLessThanOrEqual(100)
      }),
      { seed: 19 },
    )
  })
})
