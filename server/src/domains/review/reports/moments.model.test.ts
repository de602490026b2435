import { type MomentRuleName, momentEventsOfKind, momentRuleNames, momentRules } from '@integrity/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findMoments, momentIdOf, momentIdsOf } from './moments.model.ts'
import { aGap, aLane, aPhone, aSource, at, facts, told } from './moments.test-support.ts'
import type { MomentFacts } from './moments.types.ts'

const program = { program: 'Helper', kind: 'remote_control', process: 'helper', catalogueVersion: 1 }
const camera = { kind: 'camera', name: 'Loop', listed: { device: 'Loop', kind: 'virtual_camera', listVersion: 1 } }
const typed = { seconds: 60, synthetic: 50, hardwareSeconds: 0 }
const remote = { from: 'process', value: 'x11vnc' }
const listener = { program: 'Recorder', process: 'recorder', of: 'speakers', device: 'Monitor of Headset' }
const hidden = { application: 'Vault', bounds: { x: 0, y: 0, width: 10, height: 10 } }

/** What each rule finds, and what is like it and is none. */
const cases: Record<MomentRuleName, { fires: Partial<MomentFacts>; silent: Partial<MomentFacts> }> = {
  lane_gap: {
    fires: { coverage: [aLane('screen', [aGap(100, 115)])] },
    silent: { coverage: [aLane('screen', [aGap(100, 114.9)]), aLane('camera', [], { declined: true })] },
  },
  display_connected: {
    fires: { events: [told('display.added', 100, { id: '2' })] },
    silent: { events: [told('display.changed', 100, { id: '1' })] },
  },
  display_disconnected: {
    fires: { events: [told('display.removed', 100, { id: '2' })] },
    silent: { events: [told('display.changed', 100, { id: '1' })] },
  },
  listed_program: {
    fires: { events: [told('process.matched', 100, program)] },
    silent: { events: [told('process.ended', 100, program), told('foreground.changed', 100, { application: 'A' })] },
  },
  virtual_device: {
    fires: { events: [told('device.added', 100, camera)] },
    silent: { events: [told('device.added', 100, { ...camera, listed: null }), told('device.removed', 110, camera)] },
  },
  virtual_machine: {
    fires: { events: [told('vm.hint', 100, { from: 'dmi', value: 'KVM' })] },
    silent: { events: [told('network.changed', 100, [])] },
  },
  clock_jump: {
    fires: { events: [told('clock.jumped', 100, { jumpMs: -3_600_000 })] },
    silent: { events: [told('clock.corrected', 100, { movedMs: 1 })] },
  },
  hidden_window: {
    fires: { events: [told('window.exclusion_started', 100, hidden)] },
    silent: { events: [told('window.exclusion_ended', 100, { ...hidden, durationMs: 5 })] },
  },
  phone_moved: {
    fires: { phones: [aPhone('portrait', null, 'landscape')] },
    silent: { phones: [aPhone(null, 'portrait', null, 'portrait'), aPhone('landscape')] },
  },
  remote_session: {
    fires: { events: [told('remote_session.started', 100, remote)] },
    silent: { events: [told('remote_session.ended', 100, remote), told('hid.changed', 100, [])] },
  },
  synthetic_input: {
    fires: { events: [told('input.origin', 100, typed), told('input.origin', 160, typed)] },
    silent: { events: [told('idle.ended', 100, { idleMs: 1 })] },
  },
  speakers_recorded: {
    fires: { events: [told('listener.started', 100, listener)] },
    silent: {
      events: [
        told('listener.started', 100, { ...listener, of: 'microphone' }),
        told('listener.ended', 110, { ...listener, durationMs: 5 }),
      ],
    },
  },
}
const everything = facts({
  coverage: momentRuleNames.flatMap((rule) => cases[rule].fires.coverage ?? []),
  events: momentRuleNames.flatMap((rule) => cases[rule].fires.events ?? []),
  phones: momentRuleNames.flatMap((rule) => cases[rule].fires.phones ?? []),
})
const rulesOf = (one: MomentFacts) => findMoments(one).moments.map(({ rule }) => rule)

describe.each(momentRuleNames)('the rule %s', (rule) => {
  it('finds what its text says, once', () => {
    expect(rulesOf(facts(cases[rule].fires))).toEqual([rule])
  })

  it('finds nothing in what is only like it', () => {
    expect(rulesOf(facts(cases[rule].silent))).toEqual([])
  })

  it('has a text, common reasons and a version, and none of them judges', () => {
    const { title, text, commonReasons, version } = momentRules[rule]
    expect(version).toBeGreaterThan(0)
    expect(commonReasons.length).toBeGreaterThan(0)
    const words = [title, text, ...commonReasons].join(' ')
    expect(words).not.toMatch(/suspicio|cheat|fraud|risk|sever|score|verdict|violation|anomal/i)
  })
})

describe('a moment', () => {
  const only = (one: Partial<MomentFacts>) => findMoments(facts(one)).moments[0]!

  it('says the raw reading, and what was so at the start', () => {
    const event = told('display.added', 100, { id: '2' }, { sinceBeforeSession: false, baseline: { displays: 1 } })
    expect(only({ events: [event] })).toMatchObject({
      at: at(100),
      untilAt: null,
      reading: { eventId: event.id, kind: 'display.added', source: 'test', data: event.data },
      atStart: { sinceBeforeSession: false, baseline: { displays: 1 } },
    })
    expect(only(cases.virtual_machine.fires).atStart).toBeNull()
  })

  it('of a program, a device or a window lasts until that one is over', () => {
    const other = { ...program, process: 'another' }
    const events = [
      told('process.ended', 50, program),
      told('process.matched', 100, program),
      told('process.ended', 120, other),
      told('process.ended', 130, program),
      told('process.ended', 140, program),
    ]
    expect(only({ events }).untilAt).toBe(at(130))
    expect(only({ events: events.slice(0, 3) }).untilAt).toBeNull()
    expect(only({ events: [told('device.added', 1, camera), told('device.removed', 9, camera)] }).untilAt).toBe(at(9))
    const window = [told('window.exclusion_started', 1, hidden), told('window.exclusion_ended', 5, hidden)]
    expect(only({ events: window }).untilAt).toBe(at(5))
    const heard = [told('listener.started', 1, listener), told('listener.ended', 7, { ...listener, durationMs: 6000 })]
    expect(only({ events: heard }).untilAt).toBe(at(7))
  })

  it('of a gap lasts as long, and says how much of the first minute was seen', () => {
    expect(only({ ...cases.lane_gap.fires, sources: [aSource('screen', [0, 30])] })).toMatchObject({
      at: at(100),
      untilAt: at(115),
      reading: { lane: 'screen', displayId: null, reason: 'offline', seconds: 15 },
      atStart: { seconds: 60, observed: 30 },
    })
  })

  it('of one incident is one, and names the lanes that it is about', () => {
    const coverage = [
      aLane('camera', [aGap(102, 130), aGap(300, 320, { reason: 'unplugged' })]),
      aLane('microphone', [aGap(110, 112), aGap(140, 160)]),
      aLane('screen', [
        ...[aGap(100, 125), aGap(100, 125, { displayId: 'a' })],
        ...[aGap(400, 420, { reason: 'not_reported' }), aGap(500, 600, { reason: 'not_reported' })],
      ]),
      // Nothing is known of the cause, and the times are not the same.
      aLane('side_view', [aGap(380, 600, { reason: 'not_reported' })]),
      aLane('system_audio', [aGap(510, 600, { reason: 'not_reported' })]),
    ]
    const { moments } = findMoments(facts({ coverage }))
    expect(moments.map(({ lanes, at: from, untilAt, reading }) => [lanes, from, untilAt, reading['reason']])).toEqual([
      [['screen', 'microphone', 'camera'], at(100), at(130), 'offline'],
      [['microphone'], at(140), at(160), 'offline'],
      [['camera'], at(300), at(320), 'unplugged'],
      [['side_view'], at(380), at(600), 'not_reported'],
      [['screen'], at(400), at(420), 'not_reported'],
      [['screen', 'system_audio'], at(500), at(600), 'not_reported'],
    ])
    // What people said of a lane's own moment stays with the incident.
    const alone = findMoments(facts({ coverage: coverage.slice(0, 1) })).moments[0]!
    expect(momentIdsOf('ses_1', moments[0]!)).toContain(momentIdOf('ses_1', alone))
  })

  it('keeps its id when a gap grows and when a display loses its name', () => {
    const idsOf = (...gaps: ReturnType<typeof aGap>[]) =>
      findMoments(facts({ coverage: [aLane('screen', gaps)] })).moments.flatMap((moment) =>
        momentIdsOf('ses_1', moment),
      )
    const named = idsOf(aGap(10, 40, { displayId: 'b' }), aGap(10, 50, { displayId: 'a' }))
    expect(new Set(named).size).toBe(2)
    expect(idsOf(aGap(10, 90, { displayId: 'display 0002' }), aGap(10, 90, { displayId: 'display 0001' }))).toEqual(
      named,
    )
    expect(momentIdOf('ses_1', only(cases.lane_gap.fires))).toMatch(/^mom_[0-9a-z]{26}$/)
    expect(momentIdOf('ses_2', only(cases.lane_gap.fires))).not.toBe(momentIdOf('ses_1', only(cases.lane_gap.fires)))
  })
})

describe('the moments of a session', () => {
  it('stand in the order of time, each with an id of its own', () => {
    const { moments } = findMoments(everything)
    expect(moments.map((moment) => moment.at)).toEqual(moments.map((moment) => moment.at).toSorted((a, b) => a - b))
    expect(new Set(moments.map((moment) => momentIdOf('ses_1', moment))).size).toBe(moments.length)
    expect(new Set(moments.map(({ rule }) => rule))).toEqual(new Set(momentRuleNames))
  })

  it('are the same in whatever order the facts came', () => {
    const expected = findMoments(everything)
    const shuffled = fc.record({
      coverage: fc.shuffledSubarray([...everything.coverage], { minLength: everything.coverage.length }),
      events: fc.shuffledSubarray([...everything.events], { minLength: everything.events.length }),
      phones: fc.shuffledSubarray(
        everything.phones.map((phone) => ({ ...phone, beats: phone.beats.toReversed() })),
        { minLength: everything.phones.length },
      ),
    })
    fc.assert(
      fc.property(shuffled, (one) => {
        expect(findMoments(facts(one))).toEqual(expected)
      }),
      { seed: 15, numRuns: 100 },
    )
  })

  it('are of the earliest events of a kind where there are too many, and the rules that read them say so', () => {
    const events = Array.from({ length: momentEventsOfKind + 1 }, (_event, n) =>
      told('clock.jumped', 500 - n, { jumpMs: 1 }),
    )
    const { moments, incomplete } = findMoments(facts({ events }))
    expect(moments).toHaveLength(momentEventsOfKind)
    expect(moments.at(-1)?.at).toBe(at(499))
    expect([...incomplete]).toEqual(['clock_jump'])
    expect(findMoments(facts({ events: events.slice(1) })).incomplete.size).toBe(0)
  })
})
