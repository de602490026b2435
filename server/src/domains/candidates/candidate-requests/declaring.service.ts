import { aidText, type Breaks, ServiceError, type WantedAid } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { declareAids } from '../../interviews/sessions/consent/aids.service.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import { refuseEndedLink } from '../links/links.service.ts'
import { requestRecords } from './candidate-requests.records.service.ts'
import { messagesPerRequest } from './candidate-requests.service.ts'
import {
  insertRequest,
  type LinkOrigin,
  type RequestKind,
  type RequestRow,
  updateRequest,
} from './candidate-requests.store.ts'
import type { Conversation } from './candidate-requests.view.ts'
import { countMessages, insertMessage } from './messages.store.ts'
import { type Candidate, originOf, readConversations, requestsPerSession } from './submitting.service.ts'

type Change = WriteCall<ActorOf<'link'>>

interface Words {
  readonly kind: RequestKind
  readonly origin: LinkOrigin
  readonly text: string
  readonly replyTo: string | null
}

/** Adds the words to the open request of their kind, or makes one. */
const keepWords = async (call: Change, sessionId: string, { text, ...asked }: Words) => {
  const { tx, scope } = call
  const before = await readConversations(call, sessionId)
  const open = before.find(({ request }) => request.kind === asked.kind && request.decidedAt === null)
  const others = before.filter(({ request }) => request.momentId === null)
  if (!open && others.length >= requestsPerSession)
    throw new ServiceError(
      'conflict',
      `${requestsPerSession} requests were sent for this interview; no more are accepted`,
    )
  const at = call.clock.now()
  const id = open?.request.id ?? call.newId('crr')
  if ((await countMessages(tx, scope, id)) >= messagesPerRequest)
    throw new ServiceError('conflict', `${messagesPerRequest} messages were written about this request`)
  if (!open) await insertRequest(tx, scope, { id, sessionId, ...asked }, at)
  await insertMessage(tx, scope, { id: call.newId('msg'), requestId: id, sender: 'candidate', text, at })
  if (!open) await call.jobs.enqueue(call, { kind: 'candidate_requests.announce', payload: { requestId: id } })
  return { id, isNew: !open }
}

const record = async (
  call: Change,
  { sessionId, id, kind }: Pick<RequestRow, 'id' | 'kind' | 'sessionId'>,
): Promise<void> => {
  const { tx, scope } = call
  await call.audit.append(call, {
    action: 'candidate_request.submitted',
    target: id,
    sessionId,
    payload: { kind },
    records: await requestRecords(tx, { orgId: scope.orgId, sessionId, requestId: id }),
  })
}

const breakWords = ({ count, minutes }: Breaks): string => ` ${count} × ${minutes} min.`

/** The sentences that both sides read, and what the candidate wrote beside them. */
const wordsOf = (aids: readonly WantedAid[]): string =>
  aids
    .map(
      ({ aid, detail, breaks }) => `${aidText(aid)}${breaks ? breakWords(breaks) : ''}${detail ? ` (${detail})` : ''}`,
    )
    .join('\n')

/** Declares aids. The request is answered at once where the policy offers all of them. */
export const submitAids = async (
  call: Change & Needs<'db'>,
  { candidate, aids }: { readonly candidate: Candidate; readonly aids: readonly WantedAid[] },
): Promise<Conversation & { readonly isNew: boolean }> => {
  const { tx, scope } = call
  const { sessionId } = candidate
  const session = await lockSession(call, sessionId)
  await refuseEndedLink(call, candidate.id)
  const declared = await declareAids(call, { session, aids })
  const words = { kind: 'aids', origin: originOf(candidate), text: wordsOf(aids), replyTo: null } as const
  const { id, isNew } = await keepWords(call, sessionId, words)
  const read = async (): Promise<Conversation> => {
    const sent = (await readConversations(call, sessionId)).find(({ request }) => request.id === id)
    if (!sent) throw new Error(`request ${id} was sent and is not there`)
    return sent
  }
  if (!declared.some(({ state }) => state === 'declared')) {
    const { request } = await read()
    await updateRequest(tx, scope, request, { status: 'approved', decidedAt: call.clock.now() })
  }
  await record(call, { id, kind: 'aids', sessionId })
  return { ...(await read()), isNew }
}

/** Keeps what a candidate needs for the interview as a request, which is answered; gives its id. */
export const keepAccommodation = async (
  call: Change,
  { text, replyTo }: { readonly text: string; readonly replyTo?: string | undefined },
): Promise<string> => {
  const { sessionId } = call.actor
  await lockSession(call, sessionId)
  const words = { kind: 'accommodation', origin: 'invitation', text, replyTo: replyTo ?? null } as const
  const { id } = await keepWords(call, sessionId, words)
  await record(call, { id, kind: 'accommodation', sessionId })
  return id
}
