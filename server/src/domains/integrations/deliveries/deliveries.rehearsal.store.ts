import type { DeliveryFault } from '@integrity/protocol'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface UnsentRow {
  readonly id: string
  readonly endpointId: string
  readonly eventId: string
  readonly eventSeq: number
  readonly eventType: string
}

const unsent = "status = 'pending' AND attempt_count = 0 AND lease_owner IS NULL AND next_attempt_at IS NOT NULL"

/** Deliveries of these events, due no earlier than `dueFrom`, of which nothing was sent yet. */
export const findUnsent = (
  reader: Reader,
  scope: Scope,
  { eventIds, dueFrom }: { eventIds: readonly string[]; dueFrom: number },
): Promise<UnsentRow[]> => {
  if (eventIds.length === 0) return Promise.resolve([])
  return reader.all<UnsentRow>(
    `SELECT delivery_id AS id, endpoint_id AS "endpointId", event_id AS "eventId", event_seq AS "eventSeq",
       event_type AS "eventType"
     FROM webhook_deliveries WHERE next_attempt_at >= ? AND ${unsent} AND org_id = ? AND environment = ?
       AND event_id IN (${eventIds.map(() => '?').join(', ')})
     ORDER BY endpoint_id, position`,
    [dueFrom, scope.orgId, scope.environment, ...eventIds],
  )
}

/** Puts a first attempt off, never forward. */
export const delayFirstAttempt = async (tx: Tx, scope: Scope, deliveryId: string, until: number): Promise<void> => {
  await tx.run(
    `UPDATE webhook_deliveries SET next_attempt_at = ?
     WHERE org_id = ? AND environment = ? AND delivery_id = ? AND ${unsent} AND next_attempt_at < ?`,
    [until, scope.orgId, scope.environment, deliveryId, until],
  )
}

/** Says what will be wrong with the first attempt. */
export const markFault = async (tx: Tx, scope: Scope, deliveryId: string, fault: DeliveryFault): Promise<void> => {
  await tx.run(
    `UPDATE webhook_deliveries SET fault = ? WHERE org_id = ? AND environment = ? AND delivery_id = ? AND ${unsent}`,
    [fault, scope.orgId, scope.environment, deliveryId],
  )
}
