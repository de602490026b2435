import { ServiceError } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import { listStatements } from './statements.store.ts'
import type { StatementRow } from './statements.types.ts'

/** What the candidate of a session wrote, oldest first, declined ones too. The caller has found the session. */
export const statementsOf = (call: Reads, sessionId: string): Promise<StatementRow[]> =>
  listStatements(call.reader, call.scope, sessionId)

/** A statement that nobody has decided on. Words that an erasure took cannot be read any more. */
const isUnread = ({ decidedAt, text }: StatementRow): boolean => decidedAt === null && text !== null

const unreadWords = (unread: number): string =>
  `${unread === 1 ? 'a statement of the candidate is' : `${unread} statements of the candidate are`} unread: read it with ` +
  'GET /v1/orgs/{orgId}/session-candidate-context/{sessionId}, mark it as read with ' +
  'POST /v1/orgs/{orgId}/candidate-requests/{requestId}/complete, or sign off with acknowledgeUnread: true'

/** Throws `conflict` while a statement is unread, and says what to do. Call with the session locked. */
export const refuseUnread = (statements: readonly StatementRow[]): void => {
  const unread = statements.filter(isUnread).length
  if (unread > 0) throw new ServiceError('conflict', unreadWords(unread))
}
