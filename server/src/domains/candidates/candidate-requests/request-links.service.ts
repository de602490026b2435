import { requestLinkDays } from '@integrity/protocol'
import { inTx, type Needs, type Reads, type WriteCall, type Writes } from '../../../kernel/call.ts'
import { type ActorOf, system } from '../../../kernel/identity/actor.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { iso } from '../../../kernel/time.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { invitedAddresses } from '../invitations/invited.service.ts'
import { type IssuedLink, issueLink, linkUrl, refuseEndedLink, wrapLink } from '../links/links.service.ts'
import type { LinkOrigin, RequestRow } from './candidate-requests.store.ts'
import { countMailedLinks, findScopeOfSessionAcrossOrgs } from './request-links.store.ts'

const kind = 'candidate_request'
const hourMs = 3_600_000
/** Nobody can have another link mailed for a session to whose invited address so many went within the hour. */
const mailedLinksPerHour = 3
/** So often a session is looked at in a minute when links are asked for; beyond it the answer is the same. */
const asksPerMinute = 10

/** Whom to write to: an invited address, or the one that a request names. Ids, so that no job holds an address. */
export type Recipient = { readonly invitationId: string } | { readonly requestId: string }
/** Why a link is mailed, which is all that the message says. */
export type Occasion = 'asked' | 'answered' | 'decided'

/** A new link to the requests of a locked session; an earlier one ends. */
const issue = async (
  call: WriteCall & Needs<'credentials'>,
  sessionId: string,
  origin: LinkOrigin,
): Promise<IssuedLink> => {
  const expiresAt = call.clock.now() + requestLinkDays * 24 * hourMs
  const link = await issueLink(call, { kind, sessionId, subjectId: sessionId, origin, expiresAt })
  await call.audit.append(call, {
    action: 'candidate_request.link_sent',
    target: link.id,
    sessionId,
    payload: { origin },
  })
  return link
}

/** A link for whoever holds another credential of the session, shown to them once. */
export const exchange = async (
  call: WriteCall<ActorOf<'link' | 'agent'>> & Needs<'config' | 'credentials'>,
  origin: LinkOrigin,
) => {
  const { actor } = call
  const { id: sessionId } = await lockSession(call, actor.sessionId)
  if (actor.kind === 'link') await refuseEndedLink(call, actor.id)
  const { token, expiresAt } = await issue(call, sessionId, origin)
  return { url: linkUrl(call, { link: { kind, sessionId }, token }), token, expiresAt: iso(expiresAt) }
}

const mailTo = async (
  call: WriteCall & Needs<'credentials' | 'keyring'>,
  sessionId: string,
  message: { readonly to: Recipient; readonly origin: LinkOrigin; readonly occasion: Occasion },
): Promise<void> => {
  const { to, origin, occasion } = message
  const link = await issue(call, sessionId, origin)
  const payload = { sessionId, linkId: link.id, token: wrapLink(call, link), to, occasion }
  await call.jobs.enqueue(call, { kind: 'candidate_requests.send_link', payload })
}

/**
 * Mails the candidate of a locked session a fresh link, where an address is known. One that only the candidate named
 * proves no more than the link that it was named by, so the new link keeps that one's origin.
 */
export const mailFreshLink = async (
  call: WriteCall & Needs<'credentials' | 'keyring'>,
  {
    request,
    occasion,
  }: { readonly request: Pick<RequestRow, 'id' | 'sessionId' | 'origin' | 'replyTo'>; readonly occasion: Occasion },
): Promise<void> => {
  const { sessionId, origin, replyTo } = request
  const [invited] = await invitedAddresses(call, sessionId)
  if (invited) {
    const to = { invitationId: invited.id }
    await mailTo(call, sessionId, { to, origin: 'invited_address', occasion })
  } else if (replyTo !== null) await mailTo(call, sessionId, { to: { requestId: request.id }, origin, occasion })
}

/** The session's scope, unless there is none such or it was asked for too often; the answer must not tell which. */
export const admitAsk = async (call: Needs<'rate' | 'reader'>, sessionId: string): Promise<Scope | undefined> => {
  const scope = await findScopeOfSessionAcrossOrgs(call.reader, sessionId)
  if (!scope) return undefined
  const { allowed } = await call.rate.take(`request links ${sessionId}`, asksPerMinute)
  return allowed ? scope : undefined
}

/**
 * Somebody who is not known asks for a link by e-mail. Whether the address was invited changes nothing here but an id in
 * a job: what is written, and how long it takes, is the same. An id of no session costs less; ids are random enough
 * that nobody learns anything by it.
 */
export const askForLink = async (
  call: Writes & Needs<'audit' | 'jobs'>,
  { sessionId, email }: { readonly sessionId: string; readonly email: string },
): Promise<void> => {
  const { tx, scope } = call
  const wanted = email.toLowerCase()
  const invited = await invitedAddresses(call, sessionId)
  const invitationId = invited.find((candidate) => candidate.email.toLowerCase() === wanted)?.id ?? null
  await call.jobs.enqueue(call, {
    kind: 'candidate_requests.link_asked',
    payload: { sessionId, invitationId },
  })
  await call.audit.append(
    { tx, scope, actor: { kind: 'anonymous', id: 'anonymous' } },
    {
      action: 'candidate_request.link_asked',
      target: sessionId,
      sessionId,
    },
  )
}

/** Mails the link that was asked for, unless enough were mailed within the hour. Run twice, it sends a link twice. */
export const answerAsk = (
  call: Reads & Needs<'audit' | 'clock' | 'credentials' | 'db' | 'jobs' | 'keyring' | 'newId' | 'outbox'>,
  { sessionId, invitationId }: { readonly sessionId: string; readonly invitationId: string },
): Promise<void> =>
  call.db.transact(async (tx) => {
    await lockSession(inTx(call, tx), sessionId)
    const invited = await invitedAddresses(inTx(call, tx), sessionId)
    if (!invited.some(({ id }) => id === invitationId)) return
    const since = call.clock.now() - hourMs
    if ((await countMailedLinks(tx, call.scope, sessionId, since)) >= mailedLinksPerHour) return
    const message = { to: { invitationId }, origin: 'invited_address', occasion: 'asked' } as const
    await mailTo({ ...inTx(call, tx), actor: system }, sessionId, message)
  })
