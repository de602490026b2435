import { accessCopyDays, notFound, type requestListQuery, ServiceError } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Needs, Reads, Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { environments, type Scope } from '../../../kernel/identity/scope.ts'
import { type List, pageView, readPage } from '../../../kernel/paging.ts'
import { isoOrNull } from '../../../kernel/time.ts'
import type { ShownReview } from '../../interviews/reviews/reviews.types.ts'
import { reopenReviewOf } from '../../interviews/reviews/states.service.ts'
import { answerAids } from '../../interviews/sessions/consent/aids.service.ts'
import { getSession, lockSession, scopeOfSession } from '../../interviews/sessions/sessions.read.service.ts'
import { eraseSession } from '../../interviews/sessions/sessions.service.ts'
import { statementsOf } from '../../interviews/statements/statements.service.ts'
import type { StatementRow } from '../../interviews/statements/statements.types.ts'
import { countRequests, pageOfRequests } from './candidate-requests.list.store.ts'
import { checkMayHandle } from './candidate-requests.policy.ts'
import { requestRecords } from './candidate-requests.records.service.ts'
import {
  findPlaceOfRequest,
  findRequest,
  type RequestKind,
  type RequestRow,
  updateRequest,
} from './candidate-requests.store.ts'
import type { Conversation } from './candidate-requests.view.ts'
import { countMessages, insertMessage, listMessages, type MessageRow } from './messages.store.ts'
import { mailFreshLink } from './request-links.service.ts'
import { collectedIn } from './submitting.service.ts'

/** So many messages about one request are kept; an answer beyond it is refused, the words of a decision are not. */
export const messagesPerRequest = 100

type Member = ActorOf<'user'>
/** The ends that somebody decides on. */
type End = 'approved' | 'declined' | 'completed'

const conflict = (message: string) => new ServiceError('conflict', message)

const read = async (call: Reads, id: string): Promise<Conversation> => {
  const { reader, scope } = call
  const request = await findRequest(reader, scope, id)
  if (!request) throw notFound('request')
  return { request, messages: await listMessages(reader, scope, [id]) }
}

/** Crosses the environments of one organisation, for people, who manage both. */
const placeOf = async (call: Needs<'reader'>, orgId: string, id: string) => {
  const place = await findPlaceOfRequest(call.reader, orgId, id)
  if (!place) throw notFound('request')
  return { scope: { orgId, environment: place.environment }, sessionId: place.sessionId }
}

/** The request with its session locked, so that nobody else changes it until the commit. */
const lock = async (
  call: Needs<'reader' | 'tx'>,
  orgId: string,
  id: string,
): Promise<{ scope: Scope; request: RequestRow }> => {
  const { scope, sessionId } = await placeOf(call, orgId, id)
  await lockSession({ ...call, scope }, sessionId)
  const request = await findRequest(call.tx, scope, id)
  if (!request) throw notFound('request')
  return { scope, request }
}

export const getRequest = async (
  call: Needs<'reader'>,
  { orgId, id }: { readonly orgId: string; readonly id: string },
): Promise<Conversation> => {
  const { scope } = await placeOf(call, orgId, id)
  return read({ ...call, scope }, id)
}

/** What an approval would send out or erase now. */
export const previewRequest = async (
  call: Needs<'reader'>,
  { orgId, requestId }: { readonly orgId: string; readonly requestId: string },
) => {
  const { scope, sessionId } = await placeOf(call, orgId, requestId)
  const own = { ...call, scope }
  const [{ request }, session] = [await read(own, requestId), await getSession(own, sessionId)]
  const { state, legalHold, eventCount, erasedAt } = session
  const collected = await collectedIn(own, sessionId)
  return { requestId, kind: request.kind, state, legalHold, eventCount, collected, erasedAt: isoOrNull(erasedAt) }
}

/** A page of both environments, unless one is named. */
export const readRequests = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: z.output<typeof requestListQuery> },
) => {
  const { reader } = call
  const { environment, status, kind, sort } = query
  const filters = { status, kind, sort, environments: environment === undefined ? environments : [environment] }
  const list: List<RequestRow> = {
    of: ['candidate-requests', orgId, filters],
    kinds: ['number', 'string'],
    keyOf: ({ createdAt, id }) => [createdAt, id],
    fetch: (stretch) => pageOfRequests(reader, orgId, filters, stretch),
  }
  const total = await countRequests(reader, orgId, filters)
  const page = await readPage(list, query)
  const messages: MessageRow[] = []
  for (const of of filters.environments) {
    const ids = page.rows.filter((request) => request.environment === of).map(({ id }) => id)
    messages.push(...(await listMessages(reader, { orgId, environment: of }, ids)))
  }
  return pageView(
    page,
    total,
    (request): Conversation => ({
      request,
      messages: messages.filter(({ requestId }) => requestId === request.id),
    }),
  )
}

/** The context statements of a session, oldest first, declined ones too: what becomes of one is its reader's matter. */
export const readStatements = async (
  call: Needs<'reader'>,
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
): Promise<StatementRow[]> =>
  statementsOf({ ...call, scope: await scopeOfSession(call, { orgId, sessionId }) }, sessionId)

/** Says that somebody has seen it. Again: the same answer. Throws `conflict` for one that has ended. */
export const acknowledge = async (
  call: By<Member> & Needs<'audit' | 'clock' | 'reader' | 'tx'>,
  { orgId, requestId }: { orgId: string; requestId: string },
): Promise<Conversation> => {
  const { tx, actor } = call
  const { scope, request } = await lock(call, orgId, requestId)
  if (request.decidedAt !== null) throw conflict(`this request has ended already: it was ${request.status}`)
  if (request.status === 'received') {
    const acknowledgedAt = call.clock.now()
    await updateRequest(tx, scope, request, { status: 'acknowledged', acknowledgedAt, acknowledgedBy: actor.id })
    await call.audit.append(
      { tx, scope: { orgId: orgId }, actor },
      {
        action: 'candidate_request.acknowledged',
        target: requestId,
        sessionId: request.sessionId,
        records: await requestRecords(tx, { orgId, sessionId: request.sessionId, requestId }),
      },
    )
  }
  return read({ ...call, scope }, requestId)
}

const write = async (call: Writes & Needs<'clock' | 'newId'>, requestId: string, text: string): Promise<void> => {
  await insertMessage(call.tx, call.scope, {
    id: call.newId('msg'),
    requestId,
    sender: 'organisation',
    text,
    at: call.clock.now(),
  })
}

/** Writes to the candidate, whatever became of the request; the mail holds a link and nothing of the words. */
export const respond = async (
  call: By<Member> &
    Needs<'audit' | 'clock' | 'credentials' | 'jobs' | 'keyring' | 'newId' | 'outbox' | 'reader' | 'tx'>,
  { orgId, requestId, text }: { orgId: string; requestId: string; text: string },
): Promise<Conversation> => {
  const { tx } = call
  const { scope, request } = await lock(call, orgId, requestId)
  if ((await countMessages(tx, scope, requestId)) >= messagesPerRequest)
    throw conflict(`${messagesPerRequest} messages were written about this request; no more are accepted`)
  await write({ ...call, scope }, requestId, text)
  await call.audit.append(
    { tx, scope: { orgId: orgId }, actor: call.actor },
    {
      action: 'candidate_request.responded',
      target: requestId,
      sessionId: request.sessionId,
      records: await requestRecords(tx, { orgId, sessionId: request.sessionId, requestId }),
    },
  )
  await mailFreshLink({ ...call, scope }, { request, occasion: 'answered' })
  return read({ ...call, scope }, requestId)
}

const refusals: Readonly<Record<End, Partial<Record<RequestKind, string>>>> = {
  approved: { context_statement: 'a context statement cannot be approved: read it, then complete it' },
  declined: {},
  completed: {
    aids: 'declared aids cannot be completed: approve or decline them',
    access: 'a request for a copy cannot be completed: approve or decline it',
    erasure: 'a request for erasure cannot be completed: approve or decline it',
  },
}

/**
 * Ends a request: what it asks for happens in the same transaction, the reason is kept as a message, and the candidate is
 * told by mail that there is an outcome. The same end again is the same answer, and nothing happens twice. Throws
 * `conflict` after another end, for a kind that does not end this way, and for an erasure while the session is live or
 * under legal hold. An erased session keeps its requests: they are the record of how the candidate's wish was handled.
 */
export const decide = async (
  call: By<Member> &
    Needs<
      | 'audit'
      | 'clock'
      | 'credentials'
      | 'db'
      | 'jobs'
      | 'keyring'
      | 'newId'
      | 'erasers'
      | 'outbox'
      | 'recordSources'
      | 'reader'
      | 'tx'
    >,
  { orgId, requestId, end, text }: { orgId: string; requestId: string; end: End; text?: string | undefined },
): Promise<Conversation> => {
  const { tx, actor } = call
  const { scope, request } = await lock(call, orgId, requestId)
  const { kind, sessionId, status } = request
  checkMayHandle(actor, kind, text)
  if (status === end) return read({ ...call, scope }, requestId)
  if (request.decidedAt !== null) throw conflict(`this request has ended already: it was ${status}`)
  const refusal = refusals[end][kind]
  if (refusal !== undefined) throw conflict(refusal)
  if (end === 'approved' && kind === 'erasure') await eraseSession({ ...call, scope }, sessionId)
  if (kind === 'aids') {
    const session = await lockSession({ ...call, scope }, sessionId)
    await answerAids({ ...call, scope }, { session, state: end === 'approved' ? 'agreed' : 'refused' })
  }
  const decidedAt = call.clock.now()
  const accessCopyUntil = end === 'approved' && kind === 'access' ? decidedAt + accessCopyDays * 86_400_000 : null
  await updateRequest(tx, scope, request, { status: end, decidedAt, decidedBy: actor.id, accessCopyUntil })
  if (text !== undefined) await write({ ...call, scope }, requestId, text)
  const records = await requestRecords(tx, { orgId, sessionId, requestId })
  await call.audit.append(
    { tx, scope: { orgId: orgId }, actor },
    { action: `candidate_request.${end}`, target: requestId, sessionId, records },
  )
  await mailFreshLink({ ...call, scope }, { request, occasion: 'decided' })
  return read({ ...call, scope }, requestId)
}

/** Brings the completed review of the request's session back to the queue; the request stays as it is. */
export const reopenReview = async (
  call: By<Member> & Needs<'audit' | 'clock' | 'reader' | 'tx'>,
  { orgId, requestId, reason }: { orgId: string; requestId: string; reason?: string | undefined },
): Promise<ShownReview> => {
  const { scope, sessionId } = await placeOf(call, orgId, requestId)
  return reopenReviewOf(call, { scope, sessionId, reason })
}
