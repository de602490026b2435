import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Tx } from '../../../platform/db/types.ts'

/** Holds the endpoints until the commit, in one order for all; on SQLite the writer is alone anyway. */
export const lockEndpoints = async (tx: Tx, scope: Scope, endpointIds: readonly string[]): Promise<void> => {
  if (tx.forUpdate === '') return
  const { marks, values } = padded(endpointIds)
  await tx.all(
    `SELECT endpoint_id FROM webhook_endpoints WHERE org_id = ? AND environment = ? AND endpoint_id IN (${marks})
     ORDER BY endpoint_id${tx.forUpdate}`,
    [scope.orgId, scope.environment, ...values],
  )
}

/** Deliveries that arrived end the rows of failures. Written only where there is one to end. */
export const clearFailures = async (tx: Tx, scope: Scope, endpointIds: readonly string[]): Promise<void> => {
  const { marks, values } = padded(endpointIds)
  await tx.run(
    `UPDATE webhook_endpoints SET consecutive_failures = 0
     WHERE org_id = ? AND environment = ? AND endpoint_id IN (${marks}) AND consecutive_failures <> 0`,
    [scope.orgId, scope.environment, ...values],
  )
}

/** Counts a dead letter; the failures in a row, and whether the endpoint is still on. */
export const countFailure = (
  tx: Tx,
  scope: Scope,
  endpointId: string,
): Promise<{ failures: number; status: string } | undefined> =>
  tx.get(
    `UPDATE webhook_endpoints SET consecutive_failures = consecutive_failures + 1
     WHERE org_id = ? AND environment = ? AND endpoint_id = ? AND deleted_at IS NULL
     RETURNING consecutive_failures AS failures, status`,
    [scope.orgId, scope.environment, endpointId],
  )
