import type { Scope } from '../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'

export interface Watch {
  readonly sessionId: string
  readonly userId: string
  /** Since the epoch. */
  readonly minute: number
}

const keyOf = ({ orgId }: Scope, { sessionId, userId }: Watch): string[] => [orgId, sessionId, userId]

/** Whether a look of this minute, or a later one, is written already. The caller has found the session in this scope. */
export const isNoted = async (reader: Reader, scope: Scope, watch: Watch): Promise<boolean> => {
  const row = await reader.get<{ minute: number }>(
    'SELECT minute FROM session_watches WHERE org_id = ? AND session_id = ? AND user_id = ?',
    keyOf(scope, watch),
  )
  return row !== undefined && row.minute >= watch.minute
}

/** Records that a person watched a session in this minute; false when another request already did. */
export const noteMinute = async (tx: Tx, scope: Scope, watch: Watch): Promise<boolean> => {
  const { changes } = await tx.run(
    `INSERT INTO session_watches (org_id, session_id, user_id, minute) VALUES (?, ?, ?, ?)
     ON CONFLICT (org_id, session_id, user_id) DO UPDATE SET minute = excluded.minute
     WHERE session_watches.minute < excluded.minute`,
    [...keyOf(scope, watch), watch.minute],
  )
  return changes === 1
}
