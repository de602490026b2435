import type { Stretch } from '../../../kernel/paging.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { ChatDeliveryRow } from './chat.types.ts'

/** Of both environments: the organisation's id is the whole scope. */
const columns = `delivery_id AS id, integration_id AS "integrationId", environment, event_type AS "eventType",
  session_id AS "sessionId", status, attempts, problem, replay_of AS "replayOf", created_at AS "createdAt",
  finished_at AS "finishedAt"`

type Status = ChatDeliveryRow['status']

const addToCount = async (tx: Tx, orgId: string, integrationId: string, status: Status, n: number): Promise<void> => {
  await tx.run(
    `INSERT INTO chat_delivery_counts (org_id, integration_id, status, n) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, integration_id, status) DO UPDATE SET n = chat_delivery_counts.n + excluded.n`,
    [orgId, integrationId, status, n],
  )
}

export type NewDelivery = Pick<
  ChatDeliveryRow,
  'id' | 'integrationId' | 'environment' | 'eventType' | 'sessionId' | 'replayOf' | 'createdAt'
>

export const insertDelivery = async (tx: Tx, orgId: string, row: NewDelivery): Promise<void> => {
  await tx.run(
    `INSERT INTO chat_deliveries (org_id, delivery_id, integration_id, environment, event_type, session_id, status,
       attempts, replay_of, created_at) VALUES (?, ?, ?, ?, ?, ?, 'pending', 0, ?, ?)`,
    [
      ...[orgId, row.id, row.integrationId, row.environment, row.eventType, row.sessionId],
      ...[row.replayOf, row.createdAt],
    ],
  )
  await addToCount(tx, orgId, row.integrationId, 'pending', 1)
}

export const findDelivery = (reader: Reader, orgId: string, id: string): Promise<ChatDeliveryRow | undefined> =>
  reader.get<ChatDeliveryRow>(`SELECT ${columns} FROM chat_deliveries WHERE org_id = ? AND delivery_id = ?`, [
    orgId,
    id,
  ])

/** Notes an attempt: it went well, failed for good, or will be tried again. */
export const markAttempt = async (
  tx: Tx,
  orgId: string,
  { id, integrationId }: Pick<ChatDeliveryRow, 'id' | 'integrationId'>,
  outcome: { readonly status: Status; readonly problem: string | null; readonly now: number },
): Promise<void> => {
  const { status, problem, now } = outcome
  const { changes } = await tx.run(
    `UPDATE chat_deliveries SET status = ?, problem = ?, attempts = attempts + 1, finished_at = ?
     WHERE org_id = ? AND delivery_id = ? AND status = 'pending'`,
    [status, problem, status === 'pending' ? null : now, orgId, id],
  )
  if (changes === 0 || status === 'pending') return
  await addToCount(tx, orgId, integrationId, 'pending', -1)
  await addToCount(tx, orgId, integrationId, status, 1)
}

export interface ListedDeliveries {
  readonly integrationId: string
  readonly status?: Status | undefined
}

/** Newest first. */
export const pageOfDeliveries = (
  reader: Reader,
  orgId: string,
  { integrationId, status }: ListedDeliveries,
  { after, skip, take }: Stretch,
): Promise<ChatDeliveryRow[]> =>
  reader.all<ChatDeliveryRow>(
    `SELECT ${columns} FROM chat_deliveries
     WHERE org_id = ? AND integration_id = ? ${status === undefined ? '' : 'AND status = ?'}
       ${after ? 'AND (created_at, delivery_id) < (?, ?)' : ''}
     ORDER BY created_at DESC, delivery_id DESC LIMIT ? OFFSET ?`,
    [orgId, integrationId, ...(status === undefined ? [] : [status]), ...(after ?? []), take, skip],
  )

/** Kept counts. */
export const countDeliveries = async (
  reader: Reader,
  orgId: string,
  { integrationId, status }: ListedDeliveries,
): Promise<number> => {
  const sql = `SELECT sum(n) AS n FROM chat_delivery_counts
    WHERE org_id = ? AND integration_id = ? ${status === undefined ? '' : 'AND status = ?'}`
  const row = await reader.get<{ n: number | null }>(sql, [
    ...[orgId, integrationId],
    ...(status === undefined ? [] : [status]),
  ])
  return row?.n ?? 0
}
