import type { Reader } from '../../platform/db/types.ts'
import { readCheckpoints } from './audit.checkpoint.store.ts'
import { newestTimestamp, type TimestampRow } from './audit.timestamp.store.ts'

/** A time stamp and the checkpoint that it is of. */
export interface StampedCheckpoint extends TimestampRow {
  readonly checkpoint: string
}

/** The newest time stamp of a checkpoint with no more rows than these. */
export const newestStamped = async (
  reader: Reader,
  orgId: string,
  upTo: number = Number.MAX_SAFE_INTEGER,
): Promise<StampedCheckpoint | undefined> => {
  const row = await newestTimestamp(reader, orgId, upTo)
  if (!row) return undefined
  const [kept] = await readCheckpoints(reader, orgId, { after: row.size - 1, upTo: row.size, limit: 1 })
  return kept && { ...row, checkpoint: kept.note }
}

/** A time stamp with its checkpoint, as it is answered and exported. */
export const stampedView = (stamped: StampedCheckpoint | undefined) =>
  stamped
    ? {
        rows: stamped.size,
        at: new Date(stamped.stampedAt).toISOString(),
        authority: stamped.authority,
        checkpoint: stamped.checkpoint,
        response: stamped.token,
      }
    : null
