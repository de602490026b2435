import type { SessionPlace } from '../../../kernel/audit/audit.records.store.ts'
import type { Reader } from '../../../platform/db/types.ts'

type Value = Record<string, string | number | null>

/** What was placed and released, oldest first; one entry where it is named. With an empty session, of the organisation. */
export const listHoldRecords = (
  reader: Reader,
  { orgId, sessionId }: SessionPlace,
  only?: number,
): Promise<({ position: number } & Value)[]> =>
  reader.all(
    `SELECT position, placed, reason, since, at, by_kind AS "byKind", by_id AS "byId", by_label AS "byLabel"
     FROM legal_holds WHERE org_id = ? AND session_id = ?${only === undefined ? '' : ' AND position = ?'}
     ORDER BY position`,
    [orgId, sessionId, ...(only === undefined ? [] : [only])],
  )

export const findWindowRecord = (reader: Reader, { orgId, sessionId }: SessionPlace): Promise<Value | undefined> =>
  reader.get(
    `SELECT environment, ended_at AS "endedAt", told_days AS "toldDays", told_until AS "toldUntil"
     FROM session_windows WHERE org_id = ? AND session_id = ?`,
    [orgId, sessionId],
  )
