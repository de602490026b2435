import {
  consentLocaleFor,
  invalid,
  notFound,
  offeredAids,
  ServiceError,
  shownAids,
  type submitBody,
} from '@integrity/protocol'
import type * as z from 'zod'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import { noteChange } from '../../interviews/reviews/changes.service.ts'
import { windowDays } from '../../interviews/sessions/joining/window.service.ts'
import { getSession, lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { sessionView } from '../../interviews/sessions/sessions.view.ts'
import { brandOf } from '../../organisation/branding/branding.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { inviterOf } from '../../organisation/people/inviters.service.ts'
import { evidenceInventory } from '../../recording/evidence/evidence.service.ts'
import type { StatedMoment } from '../../review/reports/own-moments.service.ts'
import { invitedAddresses } from '../invitations/invited.service.ts'
import { readLink, refuseEndedLink } from '../links/links.service.ts'
import { requestRecords } from './candidate-requests.records.service.ts'
import { insertRequest, type LinkOrigin, listRequestsOfSession } from './candidate-requests.store.ts'
import { type Conversation, ownRequestView } from './candidate-requests.view.ts'
import { insertMessage, listMessagesOfSession } from './messages.store.ts'

/** So many requests of a session are kept; more are refused. */
export const requestsPerSession = 20
/** So many statements about moments are kept beside them, so that they keep nobody from asking for something. */
export const momentStatementsPerSession = 40

/** Whoever holds a link to the requests of a session. */
export type Candidate = ActorOf<'link'>

/** What was asked for in a session and written about it, newest request first. */
export const readConversations = async (call: Reads, sessionId: string): Promise<Conversation[]> => {
  const { reader, scope } = call
  const requests = await listRequestsOfSession(reader, scope, sessionId)
  const messages = await listMessagesOfSession(reader, scope, sessionId)
  return requests.map((request) => ({
    request,
    messages: messages.filter(({ requestId }) => requestId === request.id),
  }))
}

/** What is kept of each type now: erased objects are not counted. */
export const collectedIn = async (call: Reads, sessionId: string) => {
  const inventory = await evidenceInventory(call, sessionId)
  return inventory
    .map(({ evidenceType, objects, erasedObjects, sizeBytes }) => ({
      evidenceType,
      objects: objects - erasedObjects,
      sizeBytes,
    }))
    .filter(({ objects }) => objects > 0)
}

/** Everything that the page behind the link shows. */
export const readPage = async (call: Needs<'clock' | 'config' | 'db' | 'scope'>, candidate: Candidate) => {
  const { scope } = call
  const { reader } = call.db
  const { sessionId } = candidate
  const session = await getSession({ ...call, reader }, sessionId)
  const link = await readLink({ reader, scope }, candidate.id)
  if (!link) throw notFound('link')
  return {
    org: await brandOf({ ...call, reader }, await getOrg({ reader }, scope.orgId)),
    inviter: await inviterOf({ reader, scope }, sessionId),
    session: {
      id: session.id,
      candidateLabel: session.candidateLabel,
      state: session.state,
      startedAt: isoOrNull(session.startedAt),
      endedAt: isoOrNull(session.endedAt),
      erasedAt: isoOrNull(session.erasedAt),
      legalHold: session.legalHold,
      retentionDays: await windowDays({ ...call, reader }, session),
    },
    consent: sessionView(session).consent,
    collected: await collectedIn({ ...call, reader }, sessionId),
    eventCount: session.eventCount,
    aids: { ...offeredAids(session.config), declared: shownAids(session.config) },
    requests: (await readConversations({ ...call, reader }, sessionId)).map(ownRequestView),
    expiresAt: iso(link.expiresAt),
  }
}

/** What a page about aids shows before the interview, in a language. */
export const readDeclaring = async (
  call: Reads,
  { sessionId, locale }: { readonly sessionId: string; readonly locale: string | undefined },
) => {
  const { config, state } = await getSession(call, sessionId)
  const spoken = consentLocaleFor(locale ?? 'en')
  const asked = await readConversations(call, sessionId)
  return {
    ...offeredAids(config, spoken),
    declared: shownAids(config, spoken),
    open: state === 'scheduled',
    requests: asked
      .filter(({ request: { kind } }) => kind === 'aids' || kind === 'accommodation')
      .map((one) => ownRequestView(one)),
  }
}

export const originOf = ({ label, link }: Candidate): LinkOrigin => {
  if (link === 'invitation') return link
  if (label === 'invited_address' || label === 'invitation' || label === 'desktop_agent') return label
  throw new Error(`a link to requests has no origin: ${String(label)}`)
}

const isAbout = ({ request: { momentId } }: Conversation, moment: StatedMoment | undefined): boolean =>
  momentId === null ? moment === undefined : moment?.ids.includes(momentId) === true

const refuseMore = (before: readonly Conversation[], moment: StatedMoment | undefined): void => {
  const alike = before.filter(({ request }) => (request.momentId === null) === (moment === undefined)).length
  const most = moment ? momentStatementsPerSession : requestsPerSession
  const what = moment ? 'statements about moments' : 'requests'
  if (alike >= most)
    throw new ServiceError('conflict', `${most} ${what} were sent for this interview; no more are accepted`)
}

/** Whether the organisation gets a mail: not for a statement about a moment while an earlier statement is still unread. */
const isToBeTold = (before: readonly Conversation[], moment: StatedMoment | undefined): boolean =>
  moment === undefined ||
  !before.some(({ request }) => request.kind === 'context_statement' && request.decidedAt === null)

interface Submission {
  readonly candidate: Candidate
  readonly body: Omit<z.output<typeof submitBody>, 'moment'>
  /** What a statement is about, where it names a moment. */
  readonly moment: StatedMoment | undefined
}

/**
 * Takes a request, once while one of its kind is open, of statements one about the same moment: that one is answered then,
 * and nothing is added to it. The organisation is told of a new one, and a statement makes a sign-off before it stale.
 * Throws `conflict` once the session has as many as it may have.
 */
export const submitRequest = async (
  call: WriteCall<Candidate>,
  { candidate, body: { kind, text, replyTo }, moment }: Submission,
): Promise<Conversation & { readonly isNew: boolean }> => {
  const { tx, scope } = call
  const { sessionId } = candidate
  const session = await lockSession(call, sessionId)
  await refuseEndedLink(call, candidate.id)
  if (moment && session.erasedAt !== null) throw invalid('moment', 'what was captured in this interview was erased')
  const before = await readConversations(call, sessionId)
  const open = before.find((one) => one.request.kind === kind && one.request.decidedAt === null && isAbout(one, moment))
  if (open) return { ...open, isNew: false }
  refuseMore(before, moment)
  const now = call.clock.now()
  const id = call.newId('crr')
  const invited = await invitedAddresses(call, sessionId)
  const kept = invited.length > 0 ? null : (replyTo ?? null)
  await insertRequest(tx, scope, { id, sessionId, kind, origin: originOf(candidate), replyTo: kept, moment }, now)
  if (text !== undefined)
    await insertMessage(tx, scope, { id: call.newId('msg'), requestId: id, sender: 'candidate', text, at: now })
  if (isToBeTold(before, moment))
    await call.jobs.enqueue(call, { kind: 'candidate_requests.announce', payload: { requestId: id } })
  await call.audit.append(
    { tx, scope, actor: candidate },
    {
      action: 'candidate_request.submitted',
      target: id,
      sessionId,
      payload: { kind },
      records: await requestRecords(tx, { orgId: scope.orgId, sessionId, requestId: id }),
    },
  )
  if (kind === 'context_statement') await noteChange(call, { session, cause: 'statement' })
  const sent = (await readConversations(call, sessionId)).find(({ request }) => request.id === id)
  if (!sent) throw new Error(`request ${id} was sent and is not there`)
  return { ...sent, isNew: true }
}
