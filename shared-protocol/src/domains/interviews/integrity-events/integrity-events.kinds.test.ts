import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { laneNames } from '../lanes/lanes.registry.ts'
import {
  integrityEventKinds,
  isAboutRecording,
  isIntegrityEventKind,
  type KindFacts,
  pressingKinds,
  readKinds,
} from './integrity-events.kinds.ts'
import { observations, observerNames } from './integrity-events.observations.ts'
import { integrityEventInput } from './integrity-events.schemas.ts'

const rows = Object.entries<KindFacts>(integrityEventKinds).map(([kind, facts]) => ({ kind, facts }))
const at = '2026-03-02T10:00:00.000Z'

describe.each(rows)('the kind $kind', ({ kind, facts }) => {
  it('can be sent', () => {
    const event = { clientId: 'a-client-id-of-an-event', kind, observedAt: at, source: 'test' }
    expect(integrityEventInput.safeParse(event).success).toBe(true)
  })

  it('is either about the recording, or needs the consent to a lane', () => {
    expect(facts.aboutRecording).toBe(facts.lane === null)
    if (facts.lane !== null) expect(laneNames).toContain(facts.lane)
  })

  it('is told by an observer where it needs consent, and by the agent of itself where it does not', () => {
    if (facts.aboutRecording) expect(facts.observer).toBeNull()
    else expect(observerNames).toContain(facts.observer)
  })

  it('has data that converts to JSON Schema', () => {
    expect(z.toJSONSchema(facts.data)).toMatchObject({ type: 'object' })
  })
})

describe('what is about the recording', () => {
  it('is what the agent says of itself and of its lanes', () => {
    const families = rows.filter(({ facts }) => facts.aboutRecording).map(({ kind }) => kind.split('.')[0])
    expect(new Set(families)).toEqual(new Set(['agent', 'clock', 'lane', 'permission', 'quality', 'spool']))
  })

  it('is asked of a kind', () => {
    for (const { kind, facts } of rows) expect(isAboutRecording(kind), kind).toBe(facts.aboutRecording)
  })

  it('holds for a kind of a newer agent where it holds for all that is known of its first word', () => {
    expect(isAboutRecording('lane.something_new')).toBe(true)
    expect(isAboutRecording('permission.asked')).toBe(true)
    // A clock that was set is the computer's, one that was corrected the recording's.
    expect(isAboutRecording('clock.something_new')).toBe(false)
    expect(isAboutRecording('foreground.something_new')).toBe(false)
  })

  it('holds for nothing that only looks like a kind', () => {
    for (const kind of ['', 'lane', 'lanes.health', 'constructor', 'toString.x', '__proto__', 'something.new'])
      expect(isAboutRecording(kind), kind).toBe(false)
  })
})

describe('what somebody acts upon', () => {
  it('is about the recording, and no account of it that comes all the time', () => {
    for (const kind of pressingKinds) expect(isAboutRecording(kind), kind).toBe(true)
    expect(pressingKinds).toContain('lane.health')
    for (const kind of ['lane.coverage', 'lane.gap', 'lane.clock']) expect(pressingKinds).not.toContain(kind)
  })
})

describe('the kinds', () => {
  it('are told from what only looks like one', () => {
    expect(isIntegrityEventKind('lane.health')).toBe(true)
    expect(isIntegrityEventKind('lane.something_new')).toBe(false)
    expect(isIntegrityEventKind('constructor')).toBe(false)
  })

  it('have an observer each that reports something', () => {
    const reporting = new Set(Object.values(observations).map(({ observer }) => observer))
    expect([...reporting].sort()).toEqual([...observerNames].sort())
  })

  it('are read where the service keeps more than the event, and all of those are about the recording', () => {
    expect(Object.keys(readKinds).sort()).toEqual([
      'lane.clock',
      'lane.coverage',
      'lane.gap',
      'lane.health',
      'lane.withdrawn',
      'permission.changed',
    ])
    for (const kind of Object.keys(readKinds)) expect(isAboutRecording(kind)).toBe(true)
  })
})

describe('the data of a kind', () => {
  const span = { fromAt: at, toAt: at }
  const takes = (kind: keyof typeof integrityEventKinds, data: unknown) =>
    integrityEventKinds[kind].data.safeParse(data).success

  it('of a gap names a lane and a reason of the registry', () => {
    expect(takes('lane.gap', { lane: 'screen', ...span, reason: 'paused' })).toBe(true)
    expect(takes('lane.gap', { lane: 'signals', ...span, reason: 'not_observable', observer: 'idle', why: 'x' })).toBe(
      true,
    )
    expect(takes('lane.gap', { lane: 'screen', ...span, reason: 'bored' })).toBe(false)
    expect(takes('lane.gap', { lane: 'telepathy', ...span, reason: 'paused' })).toBe(false)
  })

  it('of coverage counts no negative seconds', () => {
    const window = { lane: 'camera', ...span, expectedSeconds: 10, observedSeconds: 10 }
    expect(takes('lane.coverage', window)).toBe(true)
    expect(takes('lane.coverage', { ...window, observedSeconds: -1 })).toBe(false)
  })

  it('of an observation says who saw it and how', () => {
    const seen = { observerVersion: 2, method: 'test', value: { idleMs: 60_000 } }
    expect(takes('idle.started', seen)).toBe(true)
    expect(takes('idle.started', { ...seen, baseline: { idleMs: 0 }, sinceBeforeSession: true })).toBe(true)
    expect(takes('idle.started', { value: seen.value })).toBe(false)
    expect(takes('idle.started', { ...seen, value: { locked: true } })).toBe(false)
  })
})
