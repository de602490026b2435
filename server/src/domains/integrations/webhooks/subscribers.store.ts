import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

/** Where a new delivery stands in its endpoint's log: dense, from 1. */
export interface Place {
  readonly endpointId: string
  readonly position: number
}

/** Endpoints that subscribed to a type or to all, whatever their status: one look at the index. */
export const findSubscribers = async (reader: Reader, scope: Scope, eventType: string): Promise<string[]> => {
  const rows = await reader.all<{ id: string }>(
    `SELECT DISTINCT endpoint_id AS id FROM webhook_subscriptions
     WHERE org_id = ? AND environment = ? AND event_type IN (?, '*')`,
    [scope.orgId, scope.environment, eventType],
  )
  return rows.map((row) => row.id)
}

/**
 * The next place in the log of each of these endpoints. Disabled and deleted ones get none. They are held in the order of their
 * ids, as by `lockEndpoints`: an UPDATE by itself takes rows in the order of its plan, and would wait for that in a circle.
 */
export const takePlaces = (tx: Tx, scope: Scope, endpointIds: readonly string[]): Promise<Place[]> => {
  if (endpointIds.length === 0) return Promise.resolve([])
  const of = [scope.orgId, scope.environment]
  return tx.all<Place>(
    `WITH chosen AS MATERIALIZED (
       SELECT endpoint_id FROM webhook_endpoints
       WHERE org_id = ? AND environment = ? AND status = 'enabled' AND deleted_at IS NULL
         AND endpoint_id IN (${endpointIds.map(() => '?').join(', ')})
       ORDER BY endpoint_id${tx.forUpdate})
     UPDATE webhook_endpoints SET delivery_count = delivery_count + 1
     WHERE org_id = ? AND environment = ? AND endpoint_id IN (SELECT endpoint_id FROM chosen)
     RETURNING endpoint_id AS "endpointId", delivery_count AS position`,
    [...of, ...endpointIds, ...of],
  )
}

/** So many places in a row in the log of one endpoint, which is locked; answers the first of them. */
export const takeStretch = async (tx: Tx, scope: Scope, endpointId: string, n: number): Promise<number> => {
  const row = await tx.get<{ last: number }>(
    `UPDATE webhook_endpoints SET delivery_count = delivery_count + ?
     WHERE org_id = ? AND environment = ? AND endpoint_id = ? RETURNING delivery_count AS last`,
    [n, scope.orgId, scope.environment, endpointId],
  )
  if (!row) throw new Error(`endpoint ${endpointId} gave no places for ${n} deliveries`)
  return row.last - n + 1
}
