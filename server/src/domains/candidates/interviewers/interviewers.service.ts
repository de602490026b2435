import { consentLocaleFor, interviewersPerSession, ServiceError } from '@integrity/protocol'
import { takeMail } from '../../../kernel/attempts/mail-ceilings.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { isoOrNull } from '../../../kernel/time.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { refuseEndedLink } from '../links/links.service.ts'
import { recordedOf } from './interviewers.recorded.service.ts'
import { interviewerRecord } from './interviewers.records.service.ts'
import { sendNotice } from './interviewers.send.service.ts'
import { findInterviewer, insertInterviewer, listInterviewers, updateInterviewer } from './interviewers.store.ts'
import type { InterviewerRow } from './interviewers.types.ts'

/** Who was told of a session, and what it records of them. */
export const readInterviewers = async (call: Reads & Needs<'clock' | 'config'>, sessionId: string) => {
  const session = await getSession(call, sessionId)
  return {
    recorded: await recordedOf(call, session),
    rows: await listInterviewers(call.reader, call.scope, sessionId),
  }
}

export interface InterviewerInput {
  readonly email: string
  readonly name?: string | undefined
  readonly locale?: string | undefined
}

/** The row to tell by: the one of this address, with the newest words of it, or a new one. */
const takeRow = async (
  call: WriteCall,
  {
    sessionId,
    input,
    addedBy,
  }: { readonly sessionId: string; readonly input: InterviewerInput; readonly addedBy: InterviewerRow['addedBy'] },
): Promise<InterviewerRow> => {
  const { tx, scope } = call
  const { email, name = null } = input
  const locale = consentLocaleFor(input.locale)
  const earlier = await listInterviewers(tx, scope, sessionId)
  const known = earlier.find((row) => row.email.toLowerCase() === email.toLowerCase())
  if (known) {
    await updateInterviewer(tx, scope, known.id, { name: name ?? known.name, locale })
    return known
  }
  if (earlier.length >= interviewersPerSession)
    throw new ServiceError('conflict', `${interviewersPerSession} interviewers are the limit of one session`)
  const id = call.newId('itv')
  await insertInterviewer(tx, scope, { id, sessionId, email, name, locale, addedBy, createdAt: call.clock.now() })
  return getRow(call, id)
}

const getRow = async (call: Reads, id: string): Promise<InterviewerRow> => {
  const row = await findInterviewer(call.reader, call.scope, id)
  if (!row) throw new Error(`there is no interviewer ${id}`)
  return row
}

/** Has an interviewer told by mail, with the appointment where there is one. */
export const addInterviewer = async (
  call: WriteCall<ActorOf<'user'>> & Needs<'credentials' | 'keyring'>,
  { sessionId, input }: { readonly sessionId: string; readonly input: InterviewerInput },
): Promise<InterviewerRow> => {
  const { actor, scope } = call
  const session = await lockSession(call, sessionId)
  if (session.state === 'ended' || session.erasedAt !== null)
    throw new ServiceError('conflict', 'this session has ended; whoever spoke in it can no longer be told before it')
  await takeMail(call, { orgId: scope.orgId, email: input.email, as: 'candidate' })
  const addedBy = { kind: actor.kind, id: actor.id, label: actor.email }
  const row = await takeRow(call, { sessionId, input, addedBy })
  await sendNotice(call, { interviewer: row, session, notice: 'told' })
  await call.audit.append(call, {
    action: 'interviewer.added',
    target: row.id,
    sessionId,
    payload: { email: row.email },
    records: await interviewerRecord(call.tx, { orgId: scope.orgId, sessionId, id: row.id }),
  })
  return getRow(call, row.id)
}

/** What the page behind the link shows. That it was opened is audited; the first time is when they were told by it. */
export const openPage = async (call: WriteCall<ActorOf<'link'>> & Needs<'config'>) => {
  const { actor, tx, scope } = call
  const session = await lockSession(call, actor.sessionId)
  await refuseEndedLink(call, actor.id)
  // An erasure takes who it was; the link goes on to say that nothing is kept.
  const row = await findInterviewer(tx, scope, actor.subjectId)
  const first = row?.openedAt === null
  if (first) await updateInterviewer(tx, scope, row.id, { openedAt: call.clock.now() })
  const about = { target: actor.subjectId, sessionId: session.id }
  if (first) {
    const records = await interviewerRecord(tx, { orgId: scope.orgId, sessionId: session.id, id: row.id })
    await call.audit.append(call, { ...about, action: 'interviewer.told', payload: { by: ['page'] }, records })
  } else await call.audit.append(call, { ...about, action: 'interviewer.page_opened' })
  const { schedule, cancelledAt } = await readAppointment(call, session)
  const isRemoved = row !== undefined && row.removedAt !== null
  return {
    name: row?.name ?? null,
    locale: row?.locale ?? 'en',
    org: await brandOf(call, await getOrg(call, scope.orgId)),
    appointment: isRemoved ? null : schedule,
    cancelledAt: isRemoved ? null : isoOrNull(cancelledAt),
    removedAt: isoOrNull(row?.removedAt ?? null),
    state: session.state,
    erasedAt: isoOrNull(session.erasedAt),
    recorded: await recordedOf(call, session),
  }
}
