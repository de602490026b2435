import type { Scope } from '../../../kernel/identity/scope.ts'
import { padded } from '../../../platform/db/padded-list.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

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

/** How many people have looked at each of these since a minute; one that nobody looked at is missing. */
export const countWatching = async (
  reader: Reader,
  orgId: string,
  { sessionIds, minute }: { readonly sessionIds: readonly string[]; readonly minute: number },
): Promise<ReadonlyMap<string, number>> => {
  if (sessionIds.length === 0) return new Map()
  const { marks, values } = padded(sessionIds)
  const rows = await reader.all<{ sessionId: string; people: number }>(
    `SELECT session_id AS "sessionId", count(*) AS people FROM session_watches
     WHERE org_id = ? AND session_id IN (${marks}) AND minute >= ? GROUP BY session_id`,
    [orgId, ...values, minute],
  )
  return new Map(rows.map(({ sessionId, people }) => [sessionId, Number(people)]))
}
