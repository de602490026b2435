import { invalid, ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import { sendCancellation, sendNewLink } from '../invitations/invitations.send.service.ts'
import { findLive, type InvitationRow, listInvitations } from '../invitations/invitations.service.ts'
import {
  getSession,
  lockSession,
  readInstant,
  refuseErased,
  type SessionRow,
  writeSchedule,
} from '../sessions/sessions.service.ts'
import { iso } from '../sessions/sessions.view.ts'
import { type Appointment, readAppointment } from './appointments.service.ts'
import { recordChange } from './appointments.store.ts'

type Schedule = NonNullable<SessionRow['schedule']>

/** How far in the past an appointment may begin: clocks differ, and people press a button a little late. */
const pastToleranceMs = 5 * 60_000

const conflict = (message: string) => new ServiceError('conflict', message)

/** An appointment is made for an interview that has not begun. */
const admitChange = (session: SessionRow): void => {
  if (session.state === 'live') throw conflict('this session is live; its appointment can no longer change')
  if (session.state === 'ended') throw conflict('this session has ended; its appointment can no longer change')
  refuseErased(session)
}

const same = (a: Schedule | null, b: Schedule): boolean =>
  a !== null && a.startsAt === b.startsAt && a.durationMinutes === b.durationMinutes && a.timeZone === b.timeZone

/** Sets or moves the appointment, and sends a live invitation again with a new link. The same again changes nothing. */
export const setSchedule = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'user'>,
  sessionId: string,
  input: Schedule,
): Promise<void> => {
  const now = app.clock.now()
  const session = await lockSession(tx, scope, sessionId)
  admitChange(session)
  const startsAt = readInstant(input.startsAt, 'startsAt')
  if (startsAt < now - pastToleranceMs) throw invalid('startsAt', 'lies in the past')
  const { durationMinutes, timeZone } = input
  const schedule: Schedule = { startsAt: iso(startsAt), durationMinutes, timeZone }
  const changed = !same(session.schedule, schedule)
  if (changed) {
    await writeSchedule(tx, scope, sessionId, schedule)
    await recordChange(tx, scope, sessionId, { now })
    const live = await findLive(tx, scope, sessionId, now)
    const message = session.schedule === null ? 'set' : 'moved'
    if (live) await sendNewLink(app, tx, scope, live, { session: { id: sessionId, schedule }, message })
  }
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'session.schedule_changed',
    target: sessionId,
    sessionId,
    payload: { schedule, changed },
  })
}

/** Cancels the appointment and has the invited candidate told, once. */
export const cancelSchedule = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'user'>,
  sessionId: string,
): Promise<void> => {
  const now = app.clock.now()
  const session = await lockSession(tx, scope, sessionId)
  const { cancelledAt } = await readAppointment(tx, scope, session)
  const again = cancelledAt !== null
  if (!again) {
    admitChange(session)
    if (session.schedule === null) throw conflict('there is no appointment to cancel')
    await writeSchedule(tx, scope, sessionId, null)
    await recordChange(tx, scope, sessionId, { now, cancelledSchedule: JSON.stringify(session.schedule) })
    const live = await findLive(tx, scope, sessionId, now)
    if (live) await sendCancellation(app, tx, scope, live, session)
  }
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'session.schedule_cancelled',
    target: sessionId,
    sessionId,
    payload: { again },
  })
}

/** A session with its appointment and invitations, newest first. */
export interface Scheduled {
  readonly session: SessionRow
  readonly appointment: Appointment
  readonly invitations: readonly InvitationRow[]
}

export const readScheduled = async (reader: Reader, scope: Scope, sessionId: string): Promise<Scheduled> => {
  const session = await getSession(reader, scope, sessionId)
  const appointment = await readAppointment(reader, scope, session)
  return { session, appointment, invitations: await listInvitations(reader, scope, sessionId) }
}
