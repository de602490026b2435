import type { Needs } from '../../../kernel/call.ts'
import type { FanOut } from '../../../kernel/outbox/outbox.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { readAppointment, recordWithdrawal } from '../appointments/appointments.service.ts'
import { listInterviewers, updateInterviewer } from './interviewers.store.ts'

/** Takes the appointment of an interview that did not take place out of calendars, in the transaction that ends it. */
export const interviewersFanOut =
  (parts: Needs<'clock' | 'jobs'>): FanOut =>
  async (tx, scope, { type, sessionId, requestId }, onlyEndpoint) => {
    if (type !== 'session.ended' || sessionId === null || onlyEndpoint !== undefined) return
    const asked = (await listInterviewers(tx, scope, sessionId)).filter(
      ({ calendarAt, mailKind }) => calendarAt !== null && mailKind !== 'cancelled',
    )
    if (asked.length === 0) return
    const call = { ...parts, tx, reader: tx, scope, requestId: requestId ?? undefined }
    const session = await getSession(call, sessionId)
    const { schedule } = await readAppointment(call, session)
    const now = parts.clock.now()
    if (schedule === null || session.startedAt !== null || Date.parse(schedule.startsAt) <= now) return
    const sequence = await recordWithdrawal(call, { sessionId, now })
    for (const { id } of asked) {
      const payload = { sessionId, interviewerId: id, notice: 'cancelled', sequence } as const
      const mailJob = await parts.jobs.enqueue(call, { kind: 'interviewer.message', payload })
      await updateInterviewer(tx, scope, id, { mailKind: 'cancelled', mailJob, sentAt: null, refusedAt: null })
    }
  }
