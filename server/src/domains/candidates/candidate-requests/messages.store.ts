import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Param, Reader, Tx } from '../../../platform/db/types.ts'

export interface MessageRow {
  readonly id: string
  readonly requestId: string
  readonly sender: 'candidate' | 'organisation'
  readonly text: string
  /** Epoch milliseconds. */
  readonly at: number
}

const inRequests = (ids: string) => `SELECT message_id AS id, request_id AS "requestId", sender, text, created_at AS at
  FROM candidate_request_messages WHERE org_id = ? AND request_id IN (
    SELECT request_id FROM candidate_requests WHERE org_id = ? AND environment = ? AND ${ids})
  ORDER BY request_id, position`

/** What was written to each other about one session, request by request and oldest first. */
export const listMessagesOfSession = (reader: Reader, scope: Scope, sessionId: string): Promise<MessageRow[]> =>
  reader.all<MessageRow>(inRequests('session_id = ?'), [scope.orgId, scope.orgId, scope.environment, sessionId])

/** The messages of these requests; at most a page of requests. */
export const listMessages = async (
  reader: Reader,
  scope: Scope,
  requestIds: readonly string[],
): Promise<MessageRow[]> => {
  const [first] = requestIds
  if (first === undefined) return []
  // Padded to few lengths, so that few statements are prepared.
  const length = [1, 20].find((size) => size >= requestIds.length) ?? requestIds.length
  const ids = Array.from({ length }, (_, index): Param => requestIds[index] ?? first)
  return reader.all<MessageRow>(inRequests(`request_id IN (${ids.map(() => '?').join(', ')})`), [
    scope.orgId,
    scope.orgId,
    scope.environment,
    ...ids,
  ])
}

export const countMessages = async (reader: Reader, scope: Scope, requestId: string): Promise<number> => {
  const row = await reader.get<{ n: number }>(
    'SELECT count(*) AS n FROM candidate_request_messages WHERE org_id = ? AND request_id = ?',
    [scope.orgId, requestId],
  )
  return row?.n ?? 0
}

/** Appends to what was written; the session must be locked, and the request found in this scope. */
export const insertMessage = async (tx: Tx, scope: Scope, message: MessageRow): Promise<void> => {
  const before = await countMessages(tx, scope, message.requestId)
  await tx.run(
    `INSERT INTO candidate_request_messages (org_id, request_id, position, message_id, sender, text, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [scope.orgId, message.requestId, before + 1, message.id, message.sender, message.text, message.at],
  )
}

/** Deletes messages, except those about an erasure. */
export const deleteMessages = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run(
    `DELETE FROM candidate_request_messages WHERE org_id = ? AND request_id IN (
       SELECT request_id FROM candidate_requests
       WHERE org_id = ? AND environment = ? AND session_id = ? AND kind <> 'erasure')`,
    [scope.orgId, scope.orgId, scope.environment, sessionId],
  )
}
