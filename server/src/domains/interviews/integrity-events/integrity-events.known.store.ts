import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** Those of these client ids that a session has events of already. */
export const knownClientIds = async (
  reader: Reader,
  scope: Scope,
  { sessionId, clientIds }: { readonly sessionId: string; readonly clientIds: readonly string[] },
): Promise<Set<string>> => {
  const { marks, values } = padded(clientIds)
  const rows = await reader.all<{ clientId: string }>(
    `SELECT client_id AS "clientId" FROM integrity_events
     WHERE org_id = ? AND session_id = ? AND client_id IN (${marks})`,
    [scope.orgId, sessionId, ...values],
  )
  return new Set(rows.map(({ clientId }) => clientId))
}
