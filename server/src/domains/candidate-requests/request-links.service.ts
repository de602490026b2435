import { requestLinkDays } from '@integrity/protocol'
import { type ActorOf, type AuditActor, system } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { mailAttempts } from '../../platform/mail/mail.ts'
import { invitedAddresses } from '../invitations/invited.service.ts'
import { type IssuedLink, issueLink, linkUrl, refuseEndedLink, wrapLink } from '../links/links.service.ts'
import { lockSession } from '../sessions/sessions.service.ts'
import { iso } from '../sessions/sessions.view.ts'
import type { LinkOrigin, RequestRow } from './candidate-requests.store.ts'
import { countMailedLinks, findScopeOfSessionAcrossOrgs } from './request-links.store.ts'

const kind = 'candidate_request'
const hourMs = 3_600_000
/** Nobody can have another link mailed for a session to whose invited address so many went within the hour. */
export const mailedLinksPerHour = 3
/** So often a session is looked at in a minute when links are asked for; beyond it the answer is the same. */
const asksPerMinute = 10

/** Job: decides whether a link that somebody asked for is sent. */
export const askedKind = 'candidate_requests.link_asked'
/** Job: mails a link. */
export const sendLinkKind = 'candidate_requests.send_link'

/** Whom to write to: an invited address, or the one that a request names. Ids, so that no job holds an address. */
export type Recipient = { readonly invitationId: string } | { readonly requestId: string }
/** Why a link is mailed, which is all that the message says. */
export type Occasion = 'asked' | 'answered' | 'decided'

/** A new link to the requests of a locked session; an earlier one ends. */
const issue = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: AuditActor,
  sessionId: string,
  origin: LinkOrigin,
): Promise<IssuedLink> => {
  const expiresAt = app.clock.now() + requestLinkDays * 24 * hourMs
  const link = await issueLink(app, tx, scope, { kind, sessionId, subjectId: sessionId, origin, expiresAt })
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'candidate_request.link_sent',
    target: link.id,
    sessionId,
    payload: { origin },
  })
  return link
}

/** A link for whoever holds another credential of the session, shown to them once. */
export const exchange = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'link' | 'agent'>,
  origin: LinkOrigin,
) => {
  const { id: sessionId } = await lockSession(tx, scope, actor.sessionId)
  if (actor.kind === 'link') await refuseEndedLink(app, tx, scope, actor.id)
  const { token, expiresAt } = await issue(app, tx, scope, actor, sessionId, origin)
  return { url: linkUrl(app, { kind, sessionId }, token), token, expiresAt: iso(expiresAt) }
}

const mailTo = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: AuditActor,
  sessionId: string,
  message: { readonly to: Recipient; readonly origin: LinkOrigin; readonly occasion: Occasion },
): Promise<void> => {
  const { to, origin, occasion } = message
  const link = await issue(app, tx, scope, actor, sessionId, origin)
  const payload = { sessionId, linkId: link.id, token: wrapLink(app, link), to, occasion }
  await app.jobs.enqueue(tx, scope, { kind: sendLinkKind, payload, maxAttempts: mailAttempts })
}

/**
 * Mails the candidate of a locked session a fresh link, where an address is known. One that only the candidate named
 * proves no more than the link that it was named by, so the new link keeps that one's origin.
 */
export const mailFreshLink = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: AuditActor,
  request: Pick<RequestRow, 'id' | 'sessionId' | 'origin' | 'replyTo'>,
  occasion: Occasion,
): Promise<void> => {
  const { sessionId, origin, replyTo } = request
  const [invited] = await invitedAddresses(tx, scope, sessionId)
  if (invited) {
    const to = { invitationId: invited.id }
    await mailTo(app, tx, scope, actor, sessionId, { to, origin: 'invited_address', occasion })
  } else if (replyTo !== null)
    await mailTo(app, tx, scope, actor, sessionId, { to: { requestId: request.id }, origin, occasion })
}

/** The session's scope, unless there is none such or it was asked for too often; the answer must not tell which. */
export const admitAsk = async (app: AppContext, sessionId: string): Promise<Scope | undefined> => {
  const scope = await findScopeOfSessionAcrossOrgs(app.db.reader, sessionId)
  if (!scope) return undefined
  const { allowed } = await app.rate.take(`request links ${sessionId}`, asksPerMinute)
  return allowed ? scope : undefined
}

/**
 * Somebody who is not known asks for a link by e-mail. Whether the address was invited changes nothing here but an id in
 * a job: what is written, and how long it takes, is the same. An id of no session costs less; ids are random enough
 * that nobody learns anything by it.
 */
export const askForLink = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  { sessionId, email }: { readonly sessionId: string; readonly email: string },
): Promise<void> => {
  const wanted = email.toLowerCase()
  const invited = await invitedAddresses(tx, scope, sessionId)
  const invitationId = invited.find((candidate) => candidate.email.toLowerCase() === wanted)?.id ?? null
  await app.jobs.enqueue(tx, scope, { kind: askedKind, payload: { sessionId, invitationId } })
  await app.audit.append(tx, scope.orgId, {
    actor: { kind: 'anonymous', id: 'anonymous' },
    action: 'candidate_request.link_asked',
    target: sessionId,
    sessionId,
  })
}

/** Mails the link that was asked for, unless enough were mailed within the hour. Run twice, it sends a link twice. */
export const answerAsk = (
  app: AppContext,
  scope: Scope,
  { sessionId, invitationId }: { readonly sessionId: string; readonly invitationId: string },
): Promise<void> =>
  app.db.transact(async (tx) => {
    await lockSession(tx, scope, sessionId)
    const invited = await invitedAddresses(tx, scope, sessionId)
    if (!invited.some(({ id }) => id === invitationId)) return
    const since = app.clock.now() - hourMs
    if ((await countMailedLinks(tx, scope, sessionId, since)) >= mailedLinksPerHour) return
    const message = { to: { invitationId }, origin: 'invited_address', occasion: 'asked' } as const
    await mailTo(app, tx, scope, system, sessionId, message)
  })
