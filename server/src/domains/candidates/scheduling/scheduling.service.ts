import { ServiceError } from '@integrity/protocol'
import { takeMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { iso } from '../../../kernel/time.ts'
import { paragraphs } from '../../../platform/mail/plain-text.ts'
import { sessionRecord } from '../../interviews/sessions/lists/sessions.records.service.ts'
import { writeSchedule } from '../../interviews/sessions/sessions.config.service.ts'
import { readBeginning, refuseErased } from '../../interviews/sessions/sessions.policy.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { organizerOfSession } from '../../organisation/people/inviters.service.ts'
import { type Appointment, readAppointment, recordAppointmentChange } from '../appointments/appointments.service.ts'
import { calendarNotice } from '../interviewers/interviewer.messages.ts'
import { recordedOf } from '../interviewers/interviewers.recorded.service.ts'
import { sendNotices } from '../interviewers/interviewers.send.service.ts'
import { sendCancellation, sendNewLink } from '../invitations/invitations.send.service.ts'
import { findLive } from '../invitations/invitations.service.ts'
import type { InvitationRow } from '../invitations/invitations.types.ts'
import { invitationsOf } from '../invitations/invited.service.ts'
import { interviewerPageUrl } from '../links/links.service.ts'

type Schedule = NonNullable<SessionRow['schedule']>

const conflict = (message: string) => new ServiceError('conflict', message)

/** An appointment is made for an interview that has not begun. */
const admitChange = (session: SessionRow): void => {
  // One that is erased has ended as well, which would say less.
  refuseErased(session)
  if (session.state === 'live') throw conflict('this session is live; its appointment can no longer change')
  if (session.state === 'ended') throw conflict('this session has ended; its appointment can no longer change')
}

const same = (a: Schedule | null, b: Schedule): boolean =>
  a !== null && a.startsAt === b.startsAt && a.durationMinutes === b.durationMinutes && a.timeZone === b.timeZone

/** Sets or moves the appointment, and sends a live invitation again with a new link. The same again changes nothing. */
export const setSchedule = async (
  call: WriteCall<ActorOf<'user'>> & Needs<'credentials' | 'keyring'>,
  { sessionId, input }: { readonly sessionId: string; readonly input: Schedule },
): Promise<void> => {
  const now = call.clock.now()
  const session = await lockSession(call, sessionId)
  admitChange(session)
  const startsAt = readBeginning(input.startsAt, 'startsAt', now)
  const { durationMinutes, timeZone } = input
  const schedule: Schedule = { startsAt: iso(startsAt), durationMinutes, timeZone }
  const changed = !same(session.schedule, schedule)
  if (changed) {
    await writeSchedule(call, { sessionId, schedule })
    await recordAppointmentChange(call, { sessionId, change: { now } })
    const live = await findLive(call, { sessionId, now })
    const message = session.schedule === null ? 'set' : 'moved'
    if (live) {
      await takeMail(call, { orgId: call.scope.orgId, email: live.email, as: 'candidate' })
      await sendNewLink(call, { invitation: live, session: { id: sessionId, schedule }, message })
    }
    await sendNotices(call, { session: { ...session, schedule }, notice: message })
  }
  await call.audit.append(call, {
    action: 'session.schedule_changed',
    target: sessionId,
    sessionId,
    payload: { schedule, changed },
    records: await sessionRecord(call, { sessionId }),
  })
}

/** Cancels the appointment and has the invited candidate told, once: there are no more of these mails than of appointments set. */
export const cancelSchedule = async (
  call: WriteCall<ActorOf<'user'>> & Needs<'credentials' | 'keyring'>,
  sessionId: string,
): Promise<void> => {
  const now = call.clock.now()
  const session = await lockSession(call, sessionId)
  const { cancelledAt } = await readAppointment(call, session)
  const again = cancelledAt !== null
  if (!again) {
    admitChange(session)
    if (session.schedule === null) throw conflict('there is no appointment to cancel')
    await writeSchedule(call, { sessionId, schedule: null })
    await recordAppointmentChange(call, {
      sessionId,
      change: { now, cancelledSchedule: JSON.stringify(session.schedule) },
    })
    const live = await findLive(call, { sessionId, now })
    if (live) await sendCancellation(call, { invitation: live, session })
    await sendNotices(call, { session: { ...session, schedule: null }, notice: 'cancelled' })
  }
  await call.audit.append(call, {
    action: 'session.schedule_cancelled',
    target: sessionId,
    sessionId,
    payload: { again },
    records: await sessionRecord(call, { sessionId }),
  })
}

/** A session with its appointment and invitations, newest first. */
export interface Scheduled {
  readonly session: SessionRow
  readonly appointment: Appointment
  readonly invitations: readonly InvitationRow[]
}

export const readScheduled = async (call: Reads, sessionId: string): Promise<Scheduled> => {
  const session = await getSession(call, sessionId)
  const appointment = await readAppointment(call, session)
  return {
    session,
    appointment,
    invitations: await invitationsOf({ reader: call.reader, scope: call.scope }, sessionId),
  }
}

/** The appointment for the calendar of whoever conducts the interview, with what is recorded of them. */
export const readCalendar = async (call: Reads & Needs<'clock' | 'config'>, sessionId: string) => {
  const session = await getSession(call, sessionId)
  const orgName = (await getOrg(call, call.scope.orgId)).name
  const notice = calendarNotice('en', { recorded: await recordedOf(call, session), url: interviewerPageUrl(call) })
  const who = session.candidateLabel ?? session.externalId ?? session.id
  return {
    of: {
      sessionId,
      orgName,
      appointment: await readAppointment(call, session),
      organizer: await organizerOfSession(call, sessionId),
    },
    words: { summary: `Interview: ${who}`, description: paragraphs(notice, `Session ${sessionId}`) },
  }
}
