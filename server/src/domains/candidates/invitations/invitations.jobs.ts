import * as z from 'zod'
import { defineJob, type JobCall } from '../../../kernel/jobs/define-job.ts'
import { MailRefused, mailAttempts } from '../../../platform/mail/mail.ts'
import { getSession } from '../../interviews/sessions/sessions.read.service.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { memberAddress, memberName, organizerOf } from '../../organisation/people/people.service.ts'
import { calendarPart } from '../appointments/appointments.calendar.view.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { linkUrl, readLink, requestsPageUrl, unwrapLink } from '../links/links.service.ts'
import { admitAsking, sendWithdrawal } from './calendar.service.ts'
import { calendarWordsOf, candidateMessageOf } from './candidate.messages.ts'
import { messageKinds } from './invitations.send.service.ts'
import { findInvitation, markMail } from './invitations.store.ts'
import { declinedNotice } from './team.messages.ts'
import { hiringTeam } from './team-mail.service.ts'

/** Ids and the wrapped token: no words of anybody, and no link that a reader of the table could open. */
const message = z.object({
  sessionId: z.string(),
  invitationId: z.string(),
  message: z.enum(messageKinds),
  linkId: z.string(),
  /** Absent where the message tells of the link that the candidate has. */
  wrapped: z.string().optional(),
})
const declined = z.object({ invitationId: z.string() })
const withdrawal = z.object({ sessionId: z.string(), invitationId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'invitation.message': z.output<typeof message>
    'invitation.declined': z.output<typeof declined>
    'invitation.calendar_withdrawal': z.output<typeof withdrawal>
  }
}

/**
 * What a message still has to tell, read when it is sent; `undefined` for nothing: it was sent, a newer one has taken its
 * place, its link has ended, or the session is over. Whether it is the newest is asked last: whatever changes the
 * appointment before that writes another message.
 */
const readMessage = async (call: JobCall, payload: z.output<typeof message>, id: string) => {
  const { sessionId, invitationId, linkId, wrapped } = payload
  const { reader, scope } = call
  const session = await getSession(call, sessionId)
  if (session.state === 'ended' || session.erasedAt !== null) return undefined
  const appointment = await readAppointment(call, session)
  const link = await readLink(call, linkId)
  if (!link || link.endedAt !== null || link.expiresAt <= call.clock.now()) return undefined
  const invitation = await findInvitation(reader, scope, invitationId)
  if (invitation?.mailJob !== id || invitation.sentAt !== null) return undefined
  const replyTo = await memberAddress({ reader }, { orgId: scope.orgId, userId: invitation.invitedBy.id })
  const url =
    wrapped === undefined
      ? undefined
      : linkUrl(call, {
          link: { kind: 'invitation', sessionId: session.id },
          token: unwrapLink(call, { id: linkId, wrapped }),
        })
  const brand = await mailBrandOf(call, scope)
  const schedule = appointment.schedule ?? appointment.cancelled
  const letter = candidateMessageOf({
    message: payload.message,
    environment: scope.environment,
    locale: invitation.locale,
    brand,
    name: invitation.name,
    person: await memberName({ reader }, { orgId: scope.orgId, userId: invitation.invitedBy.id }),
    schedule,
    url,
    expiresAt: link.expiresAt,
    words: invitation.message,
    takesReplies: replyTo !== undefined,
    requestsUrl: requestsPageUrl(call, session.id),
  })
  const calendar = calendarPart(
    call,
    {
      sessionId: session.id,
      orgName: brand.name,
      appointment,
      organizer: await organizerOf({ reader }, { orgId: scope.orgId, userId: invitation.invitedBy.id }),
    },
    calendarWordsOf(invitation.locale, { orgName: brand.name, schedule }),
    { name: invitation.name ?? invitation.email, address: invitation.email },
  )
  return { invitationId, to: [invitation.email], replyTo, calendar, ...letter }
}

export const invitationsJobs = [
  /** Writes to the candidate. */
  defineJob({
    kind: 'invitation.message',
    payload: message,
    attempts: mailAttempts,
    run: async (call, payload, { id }) => {
      const found = await readMessage(call, payload, id)
      if (!found) return
      const { invitationId, ...mail } = found
      const asked = { sessionId: payload.sessionId, invitationId, mailJob: id }
      if (mail.calendar?.method === 'REQUEST' && !(await admitAsking(call, asked))) return
      // A job that runs twice sends the same message again, under the same id.
      const mark = (outcome: 'sent' | 'refused') =>
        call.db.transact((tx) => markMail(tx, call.scope, { id: invitationId, mailJob: id, outcome }, call.clock.now()))
      try {
        await call.mail.send({ id, ...mail })
      } catch (error) {
        if (error instanceof MailRefused) await mark('refused')
        throw error
      }
      await mark('sent')
    },
  }),
  /** Takes an appointment out of the candidate's calendar. */
  defineJob({
    kind: 'invitation.calendar_withdrawal',
    payload: withdrawal,
    attempts: mailAttempts,
    run: (call, payload, { id, attempt }) => sendWithdrawal(call, { ...payload, id, isLast: attempt >= mailAttempts }),
  }),
  /** Tells the hiring team of a declined invitation, without the candidate's words. */
  defineJob({
    kind: 'invitation.declined',
    payload: declined,
    attempts: mailAttempts,
    run: async (call, { invitationId }, { id }) => {
      const invitation = await findInvitation(call.reader, call.scope, invitationId)
      if (!invitation) return
      const to = await hiringTeam(call, { orgId: call.scope.orgId, invitation })
      if (to.length === 0) return
      const session = await getSession(call, invitation.sessionId)
      await call.mail.send({
        id,
        to,
        replyTo: invitation.email || undefined,
        ...declinedNotice({ invitation, session }),
      })
    },
  }),
]
