import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'

/** As `integrity_events_states` has it. */
const isStateAtStart = `data LIKE '%"sinceBeforeSession":true%'`

/** An observation that may be a state. */
export interface StateRow {
  readonly id: string
  readonly position: number
  readonly kind: string
  readonly at: number
  /** JSON text. */
  readonly data: string
}

const columns = 'event_id AS id, position, kind, observed_at AS at, data'

/** What observers of a session said was so before, the earliest received. The caller has found the session in this scope. */
export const listStates = (reader: Reader, scope: Scope, sessionId: string, limit: number): Promise<StateRow[]> =>
  reader.all<StateRow>(
    `SELECT ${columns} FROM integrity_events
     WHERE org_id = ? AND session_id = ? AND ${isStateAtStart} ORDER BY position LIMIT ?`,
    [scope.orgId, sessionId, limit],
  )

/** What was told of these kinds as it happened, the earliest received. The caller has found the session in this scope. */
export const listChanges = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { kinds, limit }: { readonly kinds: readonly string[]; readonly limit: number },
): Promise<StateRow[]> =>
  reader.all<StateRow>(
    `SELECT ${columns} FROM integrity_events
     WHERE org_id = ? AND session_id = ? AND kind IN (${kinds.map(() => '?').join(', ')}) AND NOT ${isStateAtStart}
     ORDER BY position LIMIT ?`,
    [scope.orgId, sessionId, ...kinds, limit],
  )
