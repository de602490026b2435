import type { Reader, Tx } from '../../../platform/db/types.ts'

/** One placing or releasing of a hold. */
export interface HoldRow {
  readonly placed: 0 | 1
  readonly reason: string | null
  /** When the hold that is on was placed, epoch milliseconds; null of a release. */
  readonly since: number | null
  readonly byKind: string
  readonly byId: string
  readonly byLabel: string | null
}

/** What a hold is on: a session, in whichever environment, or with an empty id the whole organisation. */
export interface Held {
  readonly orgId: string
  readonly sessionId: string
}

/** The last entry of the history. */
export const findLastHold = (
  reader: Reader,
  { orgId, sessionId }: Held,
): Promise<(HoldRow & { readonly position: number }) | undefined> =>
  reader.get(
    `SELECT position, placed, reason, since, by_kind AS "byKind", by_id AS "byId", by_label AS "byLabel"
     FROM legal_holds WHERE org_id = ? AND session_id = ? ORDER BY position DESC LIMIT 1`,
    [orgId, sessionId],
  )

/** The next entry of the history, which nothing changes. Call with what is held locked. */
export const insertHold = async (
  tx: Tx,
  { orgId, sessionId }: Held,
  hold: HoldRow & { readonly position: number; readonly at: number },
): Promise<void> => {
  await tx.run(
    `INSERT INTO legal_holds (org_id, session_id, position, placed, reason, since, at, by_kind, by_id, by_label)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[orgId, sessionId, hold.position, hold.placed, hold.reason, hold.since, hold.at],
      ...[hold.byKind, hold.byId, hold.byLabel],
    ],
  )
}
