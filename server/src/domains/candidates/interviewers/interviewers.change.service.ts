import { consentLocaleFor, notFound, ServiceError } from '@integrity/protocol'
import { takeMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { readAppointment, recordWithdrawal } from '../appointments/appointments.service.ts'
import { interviewerRecord } from './interviewers.records.service.ts'
import { sendNotice } from './interviewers.send.service.ts'
import { findInterviewer, listInterviewers, updateInterviewer } from './interviewers.store.ts'
import type { InterviewerRow } from './interviewers.types.ts'

type ChangeCall = WriteCall<ActorOf<'user'>> & Needs<'credentials' | 'keyring'>

interface Which {
  readonly sessionId: string
  readonly interviewerId: string
}

/** Throws `not_found` for one of another session. */
const getOf = async (call: Reads, { sessionId, interviewerId }: Which): Promise<InterviewerRow> => {
  const row = await findInterviewer(call.reader, call.scope, interviewerId)
  if (row?.sessionId !== sessionId) throw notFound('interviewer')
  return row
}

const isOver = ({ state, erasedAt }: Pick<SessionRow, 'state' | 'erasedAt'>): boolean =>
  state === 'ended' || erasedAt !== null

const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const noted = async (call: ChangeCall, which: Which, action: 'interviewer.corrected' | 'interviewer.removed') => {
  const { sessionId, interviewerId: id } = which
  const records = await interviewerRecord(call.tx, { orgId: call.scope.orgId, sessionId, id })
  await call.audit.append(call, { action, target: id, sessionId, records })
}

interface Correction {
  readonly email?: string | undefined
  readonly name?: string | null | undefined
  readonly locale?: string | undefined
}

/** Whoever is at another address has been told by nothing yet. */
const moveTo = async (call: ChangeCall, session: SessionRow, row: InterviewerRow, email: string): Promise<void> => {
  if (isOver(session))
    throw new ServiceError('conflict', 'this session has ended; whoever spoke in it can no longer be told before it')
  const all = await listInterviewers(call.tx, call.scope, session.id)
  if (all.some((other) => other.id !== row.id && sameAddress(other.email, email)))
    throw new ServiceError('conflict', 'another interviewer of this session has this address')
  await takeMail(call, { orgId: call.scope.orgId, email, as: 'candidate' })
  await updateInterviewer(call.tx, call.scope, row.id, { email, mailedAt: null, calendarAt: null, openedAt: null })
  await sendNotice(call, { interviewer: { id: row.id, mailedAt: null }, session, notice: 'told' })
}

/** Corrects who an interviewer is. Throws `not_found` for one who was taken off. */
export const correctInterviewer = async (
  call: ChangeCall,
  { correction, ...which }: Which & { readonly correction: Correction },
): Promise<InterviewerRow> => {
  const session = await lockSession(call, which.sessionId)
  const row = await getOf(call, which)
  if (row.removedAt !== null) throw notFound('interviewer')
  const { email, name, locale } = correction
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(locale === undefined ? {} : { locale: consentLocaleFor(locale) }),
  }
  if (Object.keys(changes).length > 0) await updateInterviewer(call.tx, call.scope, row.id, changes)
  if (email !== undefined && !sameAddress(email, row.email)) await moveTo(call, session, row, email)
  await noted(call, which, 'interviewer.corrected')
  return getOf(call, which)
}

/** Whoever was written to is told that they are not asked any more; a message that still waits is not sent. */
const tellRemoved = async (call: ChangeCall, session: SessionRow, row: InterviewerRow): Promise<void> => {
  if (isOver(session) || row.mailedAt === null) {
    await updateInterviewer(call.tx, call.scope, row.id, { mailJob: null })
    return
  }
  const { schedule } = await readAppointment(call, session)
  const inCalendar = row.calendarAt !== null && schedule !== null
  const sequence = inCalendar
    ? await recordWithdrawal(call, { sessionId: session.id, now: call.clock.now() })
    : undefined
  await sendNotice(call, { interviewer: row, session, notice: 'removed', sequence })
}

/** Takes an interviewer off a session; who was taken off before stays so since then. */
export const removeInterviewer = async (call: ChangeCall, which: Which): Promise<{ id: string; removedAt: number }> => {
  const session = await lockSession(call, which.sessionId)
  const row = await getOf(call, which)
  if (row.removedAt !== null) return { id: row.id, removedAt: row.removedAt }
  const removedAt = call.clock.now()
  await updateInterviewer(call.tx, call.scope, row.id, { removedAt })
  await tellRemoved(call, session, row)
  await noted(call, which, 'interviewer.removed')
  return { id: row.id, removedAt }
}
