import * as z from 'zod'
import type { Reads } from '../../../kernel/call.ts'
import { defineJob, type JobCall, type JobRun } from '../../../kernel/jobs/define-job.ts'
import { pageFor } from '../../../kernel/page-links.ts'
import { MailRefused, mailAttempts } from '../../../platform/mail/mail.ts'
import { answerDueAt } from '../../interviews/statements/answer-due.model.ts'
import { mailBrandOf } from '../../organisation/branding/letterhead.service.ts'
import { addressesOfHolders } from '../../organisation/people/people.service.ts'
import { invitedAddresses } from '../invitations/invited.service.ts'
import { linkUrl, readLink, unwrapLink } from '../links/links.service.ts'
import { findRequest, forgetAddress } from './candidate-requests.store.ts'
import { arrivalLetter, linkLetter } from './candidate-requests.texts.ts'
import { answerAsk, type Recipient } from './request-links.service.ts'

const asked = z.object({ sessionId: z.string(), invitationId: z.string().nullable() })
const wantedLink = z.object({
  sessionId: z.string(),
  linkId: z.string(),
  /** Wrapped. */
  token: z.string(),
  to: z.union([z.object({ invitationId: z.string() }), z.object({ requestId: z.string() })]),
  occasion: z.enum(['asked', 'answered', 'decided']),
})
const announced = z.object({ requestId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'candidate_requests.link_asked': z.output<typeof asked>
    'candidate_requests.send_link': z.output<typeof wantedLink>
    'candidate_requests.announce': z.output<typeof announced>
  }
}

/** Where to, and in which language; undefined once there is nobody any more. */
const recipientOf = async (call: Reads, sessionId: string, to: Recipient) => {
  const { reader, scope } = call
  if ('invitationId' in to) return (await invitedAddresses(call, sessionId)).find(({ id }) => id === to.invitationId)
  const request = await findRequest(reader, scope, to.requestId)
  return request?.replyTo ? { email: request.replyTo, locale: undefined } : undefined
}

/** Mails a link, unless it has ended meanwhile. Run twice, it is the same message. */
const sendLink = async (call: JobCall, wanted: z.output<typeof wantedLink>, { id, attempt }: JobRun): Promise<void> => {
  const { scope } = call
  const { sessionId, linkId, token, to, occasion } = wanted
  const link = await readLink(call, linkId)
  if (!link || link.endedAt !== null || link.expiresAt <= call.clock.now()) return
  const recipient = await recipientOf(call, sessionId, to)
  if (!recipient) return
  const brand = await mailBrandOf(call, scope)
  const url = linkUrl(call, {
    link: { kind: 'candidate_request', sessionId },
    token: unwrapLink(call, { id: linkId, wrapped: token }),
  })
  const { environment } = scope
  const letter = linkLetter(recipient.locale, { occasion, brand, url, expiresAt: link.expiresAt, environment })
  const forget = async () => {
    if ('requestId' in to) await call.db.transact((tx) => forgetAddress(tx, scope, to.requestId))
  }
  try {
    await call.mail.send({ id, to: [recipient.email], ...letter })
  } catch (error) {
    if (attempt >= mailAttempts || error instanceof MailRefused) await forget()
    throw error
  }
  await forget()
}

const announce = async (call: JobCall, { requestId }: z.output<typeof announced>, { id }: JobRun): Promise<void> => {
  const { reader, scope } = call
  const request = await findRequest(reader, scope, requestId)
  const to = await addressesOfHolders({ reader }, { orgId: scope.orgId, permission: 'candidate_request.manage' })
  if (!request || to.length === 0) return
  const { kind, sessionId, externalId, environment } = request
  const url = pageFor(call, { kind: 'candidate_request', id: requestId })
  const letter = arrivalLetter({ kind, sessionId, externalId, url, environment, dueAt: answerDueAt(request) })
  await call.mail.send({ id, to, ...letter })
}

export const candidateRequestsJobs = [
  /** Decides whether a link that somebody asked for is sent. */
  defineJob({
    kind: 'candidate_requests.link_asked',
    payload: asked,
    run: async (call, { sessionId, invitationId }) => {
      if (invitationId !== null) await answerAsk(call, { sessionId, invitationId })
    },
  }),
  defineJob({
    kind: 'candidate_requests.send_link',
    payload: wantedLink,
    attempts: mailAttempts,
    run: sendLink,
  }),
  /** Tells the organisation that something has arrived. */
  defineJob({
    kind: 'candidate_requests.announce',
    payload: announced,
    attempts: mailAttempts,
    run: announce,
  }),
]
