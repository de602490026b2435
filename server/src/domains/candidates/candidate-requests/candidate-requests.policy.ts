import { ServiceError } from '@integrity/protocol'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import type { RequestKind } from './candidate-requests.store.ts'
import type { Conversation } from './candidate-requests.view.ts'

type Member = Pick<ActorOf<'user'>, 'permissions'>

/** Whether somebody answers candidates; who only signs off reads statements and marks them as read. */
const mayAnswer = ({ permissions }: Member): boolean => permissions.includes('candidate_request.manage')

const refusal = () => new ServiceError('forbidden', 'this needs the permission candidate_request.manage')

/** Which kind somebody may list. Throws `forbidden` for one that is not theirs to see. */
export const listableKind = (member: Member, kind: RequestKind | undefined): RequestKind | undefined => {
  if (mayAnswer(member)) return kind
  if (kind !== undefined && kind !== 'context_statement') throw refusal()
  return 'context_statement'
}

/** Throws `forbidden` for a request that is not theirs to see, and for words to the candidate. */
export const checkMayHandle = (member: Member, kind: RequestKind, text?: string): void => {
  if (!mayAnswer(member) && (kind !== 'context_statement' || text !== undefined)) throw refusal()
}

/** The request as somebody may see it: where to write to is for who answers. */
export const shownTo = (member: Member, { request, messages }: Conversation): Conversation =>
  mayAnswer(member) ? { request, messages } : { request: { ...request, replyTo: null }, messages }
