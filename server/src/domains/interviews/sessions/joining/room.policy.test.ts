import { ServiceError, sessionConfig, sessionRoom } from '@integrity/protocol'
import { describe, expect, it } from 'vitest'
import type { LockedGate } from '../sessions.types.ts'
import { admitBytes, admitEvents } from './room.policy.ts'

const minute = 60_000
const gate = (more: Partial<LockedGate> = {}): LockedGate => ({
  id: 'ses_1',
  externalId: null,
  state: 'live',
  config: sessionConfig.parse({}),
  lanesOff: {},
  consent: null,
  startedAt: 0,
  endedAt: null,
  erasedAt: null,
  eventCount: 0,
  observationCount: 0,
  eventBytes: 0,
  ...more,
})
const refusalOf = (work: () => void) => {
  try {
    work()
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  return undefined
}
const { events, eventBytes, evidenceBytes } = sessionRoom

describe('the room of a session for events', () => {
  const admit = (session: LockedGate, count: number, now: number, dataChars = 0) =>
    refusalOf(() => admitEvents(session, { count, dataChars }, now))

  it('grows while it runs: whoever sends too many is told to wait, and for how long', () => {
    const full = gate({ eventCount: events.atOnce })
    expect(admit(full, 500, 0)).toMatchObject({ code: 'rate_limited', status: 429 })
    expect(admit(full, 500, 0)?.headers['Retry-After']).toBe(`${Math.ceil((500 / events.perMinute) * 60)}`)
    expect(admit(full, 500, 2 * minute)).toBeUndefined()
    expect(admit(gate({ startedAt: null, eventCount: events.atOnce }), 1, minute)).toMatchObject({ status: 429 })
  })

  it('is what its length gives once it has ended', () => {
    const ended = gate({ endedAt: 10 * minute, eventCount: events.atOnce + 10 * events.perMinute - 1 })
    expect(admit(ended, 1, 60 * minute)).toBeUndefined()
    expect(admit(ended, 2, 60 * minute)).toMatchObject({ code: 'conflict', status: 409 })
  })

  it('is bounded in what they say, too', () => {
    const full = gate({ eventBytes: eventBytes.atOnce })
    expect(admit(full, 1, 0, 1)).toMatchObject({ status: 429 })
    expect(admit(full, 1, minute, eventBytes.perMinute)).toBeUndefined()
  })
})

describe('the room of a session for evidence', () => {
  const admit = (session: LockedGate, held: number, now: number) =>
    refusalOf(() => admitBytes(session, { held, more: 1 }, now))

  it('follows what its policy asks for, four times', () => {
    const plain = gate()
    const film = gate({ config: sessionConfig.parse({ capture: { recording: true } }) })
    const beyond = evidenceBytes.atOnce + 500 * 1024 * 1024
    expect(admit(plain, evidenceBytes.atOnce - 1, 0)).toBeUndefined()
    expect(admit(plain, beyond, minute)).toMatchObject({ status: 429 })
    expect(admit(film, beyond, minute)).toBeUndefined()
    expect(admit(gate({ lanesOff: { screen_clip: 5 } }), beyond, minute)).toBeUndefined()
  })
})
