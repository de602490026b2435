import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'
import { addCounts, moveCounts } from './deliveries.counts.store.ts'

export interface LogPlace {
  readonly orgId: string
  readonly endpointId: string
}

/** Crosses tenants, for housekeeping: endpoints that have deliveries, behind one of them, deleted ones among them. */
export const listLogsAfter = (reader: Reader, after: LogPlace, limit: number): Promise<LogPlace[]> =>
  reader.all(
    `SELECT DISTINCT org_id AS "orgId", endpoint_id AS "endpointId" FROM webhook_delivery_counts
     WHERE (org_id, endpoint_id) > (?, ?) AND n > 0 ORDER BY org_id, endpoint_id LIMIT ?`,
    [after.orgId, after.endpointId, limit],
  )

export interface OldDelivery {
  readonly id: string
  readonly position: number
  readonly eventType: string
  readonly status: string
  /** Epoch milliseconds; null while it is still to be sent. */
  readonly finishedAt: number | null
}

/** The oldest of an endpoint's log. */
export const listOldest = (reader: Reader, { orgId, endpointId }: LogPlace, limit: number): Promise<OldDelivery[]> =>
  reader.all(
    `SELECT delivery_id AS id, position, event_type AS "eventType", status, finished_at AS "finishedAt"
     FROM webhook_deliveries WHERE org_id = ? AND endpoint_id = ? ORDER BY position LIMIT ?`,
    [orgId, endpointId, limit],
  )

/** Takes finished deliveries, their attempts and their counts away. Attempts first, counts last: as they are locked elsewhere. */
export const deleteFinished = async (
  tx: Tx,
  { orgId, endpointId }: LogPlace,
  deliveries: readonly OldDelivery[],
): Promise<void> => {
  if (deliveries.length === 0) return
  const { marks, values } = padded(deliveries.map(({ id }) => id))
  await tx.run(`DELETE FROM webhook_attempts WHERE org_id = ? AND delivery_id IN (${marks})`, [orgId, ...values])
  const gone = await tx.all<{ eventType: string; status: string }>(
    `DELETE FROM webhook_deliveries WHERE org_id = ? AND delivery_id IN (${marks}) AND finished_at IS NOT NULL
     RETURNING event_type AS "eventType", status`,
    [orgId, ...values],
  )
  const changes = gone.map((one) => ({ ...one, endpointId, n: -1 }))
  await addCounts(tx, { orgId, environment: 'live' }, changes)
}

/** Ends what was held back since before a time, a page of it; gives back how many. */
export const cancelHeld = async (
  tx: Tx,
  { orgId, endpointId }: LogPlace,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<number> => {
  const held = `org_id = ? AND endpoint_id = ? AND status IN ('pending', 'retrying') AND next_attempt_at IS NULL
    AND lease_owner IS NULL AND created_at < ?`
  const cancelled = await tx.all<{ eventType: string; attemptsBefore: number }>(
    `UPDATE webhook_deliveries SET status = 'cancelled', finished_at = ?, lease_until = NULL
     WHERE ${held} AND delivery_id IN (SELECT delivery_id FROM webhook_deliveries WHERE ${held} ORDER BY position LIMIT ?)
     RETURNING event_type AS "eventType", attempt_count AS "attemptsBefore"`,
    [now, orgId, endpointId, before, orgId, endpointId, before, limit],
  )
  const moved = cancelled.map((one) => ({ ...one, endpointId }))
  await moveCounts(tx, { orgId, environment: 'live' }, moved, 'cancelled')
  return cancelled.length
}

/** The oldest event that a delivery has: to be sent, or to be sent again. */
export const firstEventWithDelivery = async (reader: Reader, scope: Scope): Promise<number | null> => {
  const row = await reader.get<{ seq: number }>(
    `SELECT event_seq AS seq FROM webhook_deliveries WHERE org_id = ? AND environment = ? ORDER BY event_seq LIMIT 1`,
    [scope.orgId, scope.environment],
  )
  return row?.seq ?? null
}
