import { integrityEventKinds, isIntegrityEventKind } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UploadPlace } from '../upload/test-support/upload-place.ts'
import { SessionEvents } from './session-events.ts'

let place: UploadPlace
let events: SessionEvents
let troubles: string[]

beforeEach(async () => {
  place = await UploadPlace.open()
  troubles = []
  events = new SessionEvents({
    spool: place.spool,
    clock: place.clock,
    onStored: () => undefined,
    onTrouble: (trouble) => troubles.push(trouble),
  })
})
afterEach(() => place.close())

describe('session events', () => {
  it("have the shapes of the contract's registry", () => {
    const now = place.clock.wallMs()
    const span = { from: now - 5000, to: now }
    events.note('agent.started', 'session', { resumed: false })
    events.note('quality.changed', 'uploader', { level: 2 })
    events.note('permission.changed', 'shell', { permission: 'camera', state: 'denied' })
    events.health({ lane: 'screen', displayId: ':1.0', state: 'degraded', reason: 'x'.repeat(300), since: now })
    events.gap({ lane: 'microphone', ...span, reason: 'storage_full' })
    const stretch = { lane: 'camera', fromAt: now - 5000, toAt: now } as const
    events.account([{ ...stretch, reason: 'agent_stopped' }, stretch], '[]')
    events.observerGap({ observer: 'idle', ...span, why: 'y'.repeat(300) })
    events.observation({
      kind: 'idle.started',
      observedAt: now,
      monotonicMs: 5,
      source: 'idle',
      data: { observerVersion: 2, method: 'test', value: { idleMs: 60_000 } },
    })
    const queued = place.spool.nextEvents()
    expect(queued.map(({ kind }) => kind)).toEqual([
      'agent.started',
      'quality.changed',
      'permission.changed',
      'lane.health',
      'lane.gap',
      'lane.gap',
      'lane.coverage',
      'lane.gap',
      'idle.started',
    ])
    for (const { kind, data } of queued) {
      if (!isIntegrityEventKind(kind)) throw new Error(`${kind} is no kind`)
      expect(integrityEventKinds[kind].data.safeParse(data), kind).toMatchObject({ success: true })
    }
    expect(troubles).toEqual([])
  })

  it('that the registry does not know do not compile', () => {
    // @ts-expect-error no such lane
    events.note('lane.withdrawn', 'session', { lane: 'telepathy' })
    // @ts-expect-error no such reason
    events.gap({ lane: 'screen', from: 0, to: 1, reason: 'bored' })
    // @ts-expect-error no such kind
    events.note('lane.bored', 'session', {})
    // @ts-expect-error data of another kind
    events.note('agent.started', 'session', { lane: 'screen' })
    expect(place.spool.nextEvents()).toHaveLength(4)
  })
})
