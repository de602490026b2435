import type { Reader, Tx } from '../../platform/db/types.ts'
import type { Scope } from '../identity/scope.ts'
import type { PublishedEvent } from './outbox.types.ts'

const sequenceColumn = (scope: Scope) => (scope.environment === 'live' ? 'event_seq_live' : 'event_seq_sandbox')

/** The next sequence; its row stays locked until the commit, so the order of sequences is the order of commits. */
export const nextSequence = async (tx: Tx, scope: Scope): Promise<number> => {
  const column = sequenceColumn(scope)
  const row = await tx.get<{ seq: number }>(
    `UPDATE org_heads SET ${column} = ${column} + 1 WHERE org_id = ? RETURNING ${column} AS seq`,
    [scope.orgId],
  )
  if (!row) throw new Error(`organisation ${scope.orgId} has no event sequence`)
  return row.seq
}

export const lastSequence = async (reader: Reader, scope: Scope): Promise<number> => {
  const column = sequenceColumn(scope)
  const row = await reader.get<{ seq: number }>(`SELECT ${column} AS seq FROM org_heads WHERE org_id = ?`, [
    scope.orgId,
  ])
  return row?.seq ?? 0
}

/** The event, and the counts of its type: of all sessions (a session without id) and of its own. */
export const insertEvent = async (tx: Tx, scope: Scope, event: PublishedEvent): Promise<void> => {
  await tx.run(
    `INSERT INTO events (org_id, environment, seq, event_id, type, session_id, created_at, envelope, request_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[scope.orgId, scope.environment, event.seq, event.id, event.type, event.sessionId],
      ...[event.createdAt, event.envelope, event.requestId],
    ],
  )
  const counted = event.sessionId === null ? [''] : ['', event.sessionId]
  await tx.run(
    `INSERT INTO event_counts (org_id, environment, session_id, type, n)
     VALUES ${counted.map(() => '(?, ?, ?, ?, 1)').join(', ')}
     ON CONFLICT (org_id, environment, session_id, type) DO UPDATE SET n = event_counts.n + 1`,
    counted.flatMap((sessionId) => [scope.orgId, scope.environment, sessionId, event.type]),
  )
}

export const listEnvelopes = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  types: readonly string[],
): Promise<{ seq: number; type: string; envelope: string }[]> =>
  reader.all(
    `SELECT seq, type, envelope FROM events WHERE org_id = ? AND environment = ? AND session_id = ?
     AND type IN (${types.map(() => '?').join(', ')}) ORDER BY seq`,
    [scope.orgId, scope.environment, sessionId, ...types],
  )

export const replaceEnvelope = async (tx: Tx, scope: Scope, seq: number, envelope: string): Promise<void> => {
  await tx.run('UPDATE events SET envelope = ? WHERE org_id = ? AND environment = ? AND seq = ?', [
    envelope,
    scope.orgId,
    scope.environment,
    seq,
  ])
}
