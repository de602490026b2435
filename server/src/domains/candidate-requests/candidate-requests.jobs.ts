import * as z from 'zod'
import type { Needs, Reads } from '../../kernel/call.ts'
import type { Job, JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { invitedAddresses } from '../invitations/invited.service.ts'
import { linkUrl, readLink, unwrapLink } from '../links/links.service.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { adminAddresses } from '../people/people.service.ts'
import { findRequest } from './candidate-requests.store.ts'
import { arrivalLetter, linkLetter } from './candidate-requests.texts.ts'
import { answerAsk, askedKind, type Recipient, sendLinkKind } from './request-links.service.ts'
import { announceKind } from './submitting.service.ts'

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

/** Where to, and in which language; undefined once there is nobody any more. */
const recipientOf = async (call: Reads, sessionId: string, to: Recipient) => {
  const { reader, scope } = call
  if ('invitationId' in to) return (await invitedAddresses(call, sessionId)).find(({ id }) => id === to.invitationId)
  const request = await findRequest(reader, scope, to.requestId)
  return request?.replyTo ? { email: request.replyTo, locale: undefined } : undefined
}

/** Mails a link, unless it has ended meanwhile. Run twice, it is the same message. */
const sendLink = async (
  call: Needs<'clock' | 'config' | 'keyring' | 'mail' | 'reader'>,
  { id, scope, payload }: Job,
): Promise<void> => {
  const { sessionId, linkId, token, to, occasion } = wantedLink.parse(payload)
  const link = await readLink({ reader: call.reader, scope }, linkId)
  if (!link || link.endedAt !== null || link.expiresAt <= call.clock.now()) return
  const recipient = await recipientOf({ ...call, scope }, sessionId, to)
  if (!recipient) return
  const { name: org } = await getOrg(call, scope.orgId)
  const url = linkUrl(call, { kind: 'candidate_request', sessionId }, unwrapLink(call, linkId, token))
  const { environment } = scope
  const letter = linkLetter(recipient.locale, { occasion, org, url, expiresAt: link.expiresAt, environment })
  await call.mail.send({ id, to: [recipient.email], ...letter })
}

const announce = async (call: Needs<'config' | 'mail' | 'reader'>, { id, scope, payload }: Job): Promise<void> => {
  const { reader } = call
  const { requestId } = announced.parse(payload)
  const request = await findRequest(reader, scope, requestId)
  const to = await adminAddresses({ reader }, scope.orgId)
  if (!request || to.length === 0) return
  const { sessionId, externalId, environment } = request
  const url = `${call.config.baseUrl}/v1/orgs/${scope.orgId}/candidate-requests/${requestId}`
  await call.mail.send({ id, to, ...arrivalLetter({ sessionId, externalId, url, environment }) })
}

/** Job kinds of this domain. The context is asked for when a job runs: it holds the jobs itself. */
export const candidateRequestsJobs = (app: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [askedKind]: async ({ scope, payload }) => {
    const { sessionId, invitationId } = asked.parse(payload)
    if (invitationId !== null) await answerAsk({ ...app(), scope }, { sessionId, invitationId })
  },
  [sendLinkKind]: (job) => sendLink(app(), job),
  [announceKind]: (job) => announce(app(), job),
})
