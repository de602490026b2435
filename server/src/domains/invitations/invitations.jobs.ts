import * as z from 'zod'
import type { Needs } from '../../kernel/call.ts'
import type { Job, JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { MailRefused } from '../../platform/mail/mail.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { linkUrl, readLink, requestsPageUrl, unwrapLink } from '../links/links.service.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { memberAddress } from '../people/people.service.ts'
import { getSession } from '../sessions/sessions.read.service.ts'
import { declinedMessage } from './answers.service.ts'
import { candidateMessageOf } from './candidate.messages.ts'
import { candidateMessage, messageKinds } from './invitations.send.service.ts'
import { findInvitation, markMail } from './invitations.store.ts'
import { declinedNotice } from './team.messages.ts'
import { hiringTeam } from './team-mail.service.ts'

const messagePayload = z.object({
  sessionId: z.string(),
  invitationId: z.string(),
  message: z.enum(messageKinds),
  linkId: z.string(),
  wrapped: z.string().optional(),
})

/**
 * What a message still has to tell, read when it is sent; `undefined` for nothing: it was sent, a newer one has taken its
 * place, its link has ended, or the session is over. Whether it is the newest is asked last: whatever changes the
 * appointment before that writes another message.
 */
const readMessage = async (call: Needs<'clock' | 'config' | 'db' | 'keyring'>, { id, scope, payload }: Job) => {
  const { sessionId, invitationId, message, linkId, wrapped } = messagePayload.parse(payload)
  const { reader } = call.db
  const session = await getSession({ reader, scope }, sessionId)
  if (session.state === 'ended' || session.erasedAt !== null) return undefined
  const appointment = await readAppointment({ reader, scope }, session)
  const link = await readLink({ reader, scope }, linkId)
  if (!link || link.endedAt !== null || link.expiresAt <= call.clock.now()) return undefined
  const invitation = await findInvitation(reader, scope, invitationId)
  if (invitation?.mailJob !== id || invitation.sentAt !== null) return undefined
  const replyTo = await memberAddress({ reader }, scope.orgId, invitation.invitedBy.id)
  const url =
    wrapped === undefined
      ? undefined
      : linkUrl(call, { kind: 'invitation', sessionId: session.id }, unwrapLink(call, linkId, wrapped))
  const { subject, text } = candidateMessageOf({
    message,
    environment: scope.environment,
    locale: invitation.locale,
    orgName: (await getOrg({ reader }, scope.orgId)).name,
    name: invitation.name,
    schedule: appointment.schedule ?? appointment.cancelled,
    url,
    expiresAt: link.expiresAt,
    words: invitation.message,
    takesReplies: replyTo !== undefined,
    requestsUrl: requestsPageUrl(call, session.id),
  })
  return { invitationId, to: [invitation.email], replyTo, subject, text }
}

/** Job handlers of this domain. Takes the context late: the context itself holds the jobs. */
export const invitationsJobs = (context: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [candidateMessage]: async (job) => {
    const app = context()
    const found = await readMessage(app, job)
    if (!found) return
    const { invitationId, ...message } = found
    // A job that runs twice sends the same message again, under the same id.
    const mark = (outcome: 'sent' | 'refused') =>
      app.db.transact((tx) => markMail(tx, job.scope, { id: invitationId, mailJob: job.id, outcome }, app.clock.now()))
    try {
      await app.mail.send({ id: job.id, ...message })
    } catch (error) {
      if (error instanceof MailRefused) await mark('refused')
      throw error
    }
    await mark('sent')
  },
  [declinedMessage]: async (job) => {
    const app = context()
    const { invitationId } = z.object({ invitationId: z.string() }).parse(job.payload)
    const { reader } = app.db
    const invitation = await findInvitation(reader, job.scope, invitationId)
    if (!invitation) return
    const to = await hiringTeam({ reader }, job.scope.orgId, invitation)
    if (to.length === 0) return
    const session = await getSession({ reader, scope: job.scope }, invitation.sessionId)
    await app.mail.send({ id: job.id, to, replyTo: invitation.email, ...declinedNotice({ invitation, session }) })
  },
})
