import { evidenceBytesPerMinute, ServiceError, sessionRoom } from '@integrity/protocol'
import { rateLimited } from '../../../../kernel/rate-limited.ts'
import type { LockedGate, SessionGate } from '../sessions.types.ts'

const minuteMs = 60_000
/** What is told to wait asks again after this at the latest. */
const longestWaitSeconds = 300

interface Room {
  readonly atOnce: number
  readonly perMinute: number
}

const minutesOf = ({ startedAt, endedAt }: SessionGate, now: number): number =>
  startedAt === null ? 0 : Math.max(0, (endedAt ?? now) - startedAt) / minuteMs

/**
 * Refuses what a session has no room for. While it runs there is more room each minute, so that whoever sends is told to wait and
 * loses nothing; an agent that sends what its session's policy asks for never comes near.
 */
const admitAmount = (
  session: SessionGate,
  {
    room,
    held,
    more,
    unit,
  }: { readonly room: Room; readonly held: number; readonly more: number; readonly unit: string },
  now: number,
): void => {
  const limit = Math.floor(room.atOnce + room.perMinute * minutesOf(session, now))
  const beyond = held + more - limit
  if (beyond <= 0) return
  const message = `a session of this length holds at most ${limit} ${unit}, and has ${held}`
  if (session.endedAt !== null) throw new ServiceError('conflict', `${message}: the service accepts nothing more of it`)
  const waitSeconds =
    room.perMinute === 0 ? longestWaitSeconds : Math.min(longestWaitSeconds, (beyond / room.perMinute) * 60)
  throw rateLimited(`${message}: send less of it`, { limit, waitSeconds, windowSeconds: 60 })
}

/** Room for a batch of events; `dataChars` is what their data take as JSON. */
export const admitEvents = (
  session: LockedGate,
  { count, dataChars }: { readonly count: number; readonly dataChars: number },
  now: number,
): void => {
  const { events, eventBytes } = sessionRoom
  admitAmount(session, { room: events, held: session.eventCount, more: count, unit: 'events' }, now)
  admitAmount(
    session,
    { room: eventBytes, held: session.eventBytes, more: dataChars, unit: 'characters of data of events' },
    now,
  )
}

/** Room for an item of evidence. */
export const admitBytes = (
  session: SessionGate,
  { held, more }: { readonly held: number; readonly more: number },
  now: number,
): void => {
  const perMinute = evidenceBytesPerMinute(session.config, (type) => session.lanesOff[type] !== undefined)
  const room = { ...sessionRoom.evidenceBytes, perMinute }
  admitAmount(session, { room, held, more, unit: 'bytes of evidence' }, now)
}
