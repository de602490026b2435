import * as z from 'zod'
import { defineJob, type JobCall } from '../../../kernel/jobs/define-job.ts'
import { MailRefused, mailAttempts } from '../../../platform/mail/mail.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { memberAddress, organizerOf } from '../../organisation/people/people.service.ts'
import { calendarPart } from '../appointments/appointments.calendar.view.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { interviewerPageUrl, unwrapLink } from '../links/links.service.ts'
import { calendarWordsOf, noticeLetter } from './interviewer.messages.ts'
import { recordedOf } from './interviewers.recorded.service.ts'
import { interviewerRecord } from './interviewers.records.service.ts'
import { noticeKinds } from './interviewers.send.service.ts'
import { findInterviewer, markRefused, markSent } from './interviewers.store.ts'

/** Ids and the wrapped token: no words of anybody, and no link that a reader of the table could open. */
const message = z.object({
  sessionId: z.string(),
  interviewerId: z.string(),
  notice: z.enum(noticeKinds),
  /** Absent where the session has ended: then the message only takes the appointment out of a calendar. */
  linkId: z.string().optional(),
  wrapped: z.string().optional(),
  /** Of that taking out. */
  sequence: z.number().optional(),
})

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'interviewer.message': z.output<typeof message>
  }
}

/** What is still to be said; undefined where it was sent, a newer message has taken its place, or the session is over. */
const readMessage = async (call: JobCall, payload: z.output<typeof message>, id: string) => {
  const { sessionId, interviewerId, notice, linkId, wrapped, sequence } = payload
  const { reader, scope } = call
  const session = await getSession(call, sessionId)
  if (session.erasedAt !== null || (session.state === 'ended' && sequence === undefined)) return undefined
  const current = await readAppointment(call, session)
  const interviewer = await findInterviewer(reader, scope, interviewerId)
  if (interviewer?.mailJob !== id || interviewer.sentAt !== null) return undefined
  const appointment =
    sequence === undefined
      ? current
      : { ...current, schedule: null, cancelled: current.schedule ?? current.cancelled, sequence }
  const url =
    linkId === undefined || wrapped === undefined
      ? undefined
      : interviewerPageUrl(call, { interviewerId, token: unwrapLink(call, { id: linkId, wrapped }) })
  const brand = await mailBrandOf(call, scope)
  const { email, name, locale, addedBy } = interviewer
  const replyTo = await memberAddress({ reader }, { orgId: scope.orgId, userId: addedBy.id })
  const schedule = appointment.schedule ?? appointment.cancelled
  const facts = { notice, environment: scope.environment, locale, brand, name, schedule, url }
  const recorded = await recordedOf(call, session)
  const words = calendarWordsOf(locale, { orgName: brand.name, recorded, url })
  const attendee = { name: name ?? email, address: email }
  const isTold = notice !== 'removed' || sequence !== undefined
  const organizer = await organizerOf({ reader }, { orgId: scope.orgId, userId: addedBy.id })
  const calendar = isTold
    ? calendarPart(call, { sessionId, orgName: brand.name, appointment, organizer }, words, attendee)
    : undefined
  return {
    to: [email],
    replyTo,
    calendar,
    ...noticeLetter({ ...facts, recorded, withCalendar: calendar !== undefined }),
  }
}

/** That a message went out, with a row of the audit trail that says by what the interviewer was told. */
const noteSent = (
  call: JobCall,
  { sessionId, interviewerId }: z.output<typeof message>,
  { id, tells }: { readonly id: string; readonly tells: { readonly mail: boolean; readonly calendar: boolean } },
): Promise<void> =>
  call.db.transact(async (tx) => {
    const { scope, actor } = call
    const sent = { id: interviewerId, mailJob: id, tells }
    if (!(await markSent(tx, scope, sent, call.clock.now())) || !tells.mail) return
    await call.audit.append(
      { tx, scope, actor },
      {
        action: 'interviewer.told',
        target: interviewerId,
        sessionId,
        payload: { by: tells.calendar ? ['mail', 'calendar'] : ['mail'] },
        records: await interviewerRecord(tx, { orgId: scope.orgId, sessionId, id: interviewerId }),
      },
    )
  })

export const interviewersJobs = [
  /** Writes to an interviewer. A job that runs twice sends the same message again, under the same id. */
  defineJob({
    kind: 'interviewer.message',
    payload: message,
    attempts: mailAttempts,
    run: async (call, payload, { id }) => {
      const mail = await readMessage(call, payload, id)
      if (!mail) return
      try {
        await call.mail.send({ id, ...mail })
      } catch (error) {
        const refused = { id: payload.interviewerId, mailJob: id }
        if (error instanceof MailRefused)
          await call.db.transact((tx) => markRefused(tx, call.scope, refused, call.clock.now()))
        throw error
      }
      const isOver = payload.notice === 'cancelled' || payload.notice === 'removed'
      const tells = { mail: !isOver, calendar: mail.calendar?.method === 'REQUEST' }
      await noteSent(call, payload, { id, tells })
    },
  }),
]
