import type { Reader, Tx } from '../../platform/db/types.ts'

/** A time stamp beside the checkpoint of that size. */
export interface TimestampRow {
  readonly size: number
  /** The time that the authority states, in epoch milliseconds. */
  readonly stampedAt: number
  /** The subject of its certificate. */
  readonly authority: string
  /** The whole answer, in base64. */
  readonly token: string
}

const ofTimestamp = 'size, stamped_at AS "stampedAt", authority, token'

/** Kept for good, one for each checkpoint: the first one is the earliest time. */
export const insertTimestamp = async (tx: Tx, orgId: string, row: TimestampRow): Promise<void> => {
  await tx.run(
    `INSERT INTO audit_timestamps (org_id, size, stamped_at, authority, token) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, size) DO NOTHING`,
    [orgId, row.size, row.stampedAt, row.authority, row.token],
  )
}

export const findTimestamp = (reader: Reader, orgId: string, size: number): Promise<TimestampRow | undefined> =>
  reader.get<TimestampRow>(`SELECT ${ofTimestamp} FROM audit_timestamps WHERE org_id = ? AND size = ?`, [orgId, size])

/** The newest one of a checkpoint with no more rows than these. */
export const newestTimestamp = (reader: Reader, orgId: string, upTo: number): Promise<TimestampRow | undefined> =>
  reader.get<TimestampRow>(
    `SELECT ${ofTimestamp} FROM audit_timestamps WHERE org_id = ? AND size <= ? ORDER BY size DESC LIMIT 1`,
    [orgId, upTo],
  )

/** Smallest first, behind one of this size. */
export const listTimestamps = (
  reader: Reader,
  orgId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<TimestampRow[]> =>
  reader.all<TimestampRow>(
    `SELECT ${ofTimestamp} FROM audit_timestamps WHERE org_id = ? AND size > ? ORDER BY size LIMIT ?`,
    [orgId, after, limit],
  )
