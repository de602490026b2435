import type { Reader, Tx } from '../../platform/db/types.ts'

export interface StoredCheckpoint {
  /** Rows that it covers. */
  readonly size: number
  readonly note: string
  readonly at: number
  /** Size of the checkpoint before it; 0 for the first. */
  readonly previous: number
  /** Over the note and its place, see `ChainSeal`; '' of those that are older than such MACs. */
  readonly mac: string
}

const columns = 'size, note, at, previous, mac'

/** Kept for good: nothing changes or removes one. The caller has the head locked, so none of this size is there. */
export const insertCheckpoint = async (tx: Tx, orgId: string, checkpoint: StoredCheckpoint): Promise<void> => {
  const { size, note, at, previous, mac } = checkpoint
  await tx.run(`INSERT INTO audit_checkpoints (org_id, ${columns}) VALUES (?, ?, ?, ?, ?, ?)`, [
    ...[orgId, size, note, at, previous, mac],
  ])
}

/** Checkpoints with `after` < size ≤ `upTo`, smallest first. */
export const readCheckpoints = (
  reader: Reader,
  orgId: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<StoredCheckpoint[]> =>
  reader.all<StoredCheckpoint>(
    `SELECT ${columns} FROM audit_checkpoints WHERE org_id = ? AND size > ? AND size <= ? ORDER BY size LIMIT ?`,
    [orgId, after, upTo, limit],
  )

export const readLastCheckpoint = (reader: Reader, orgId: string): Promise<StoredCheckpoint | undefined> =>
  reader.get<StoredCheckpoint>(`SELECT ${columns} FROM audit_checkpoints WHERE org_id = ? ORDER BY size DESC LIMIT 1`, [
    orgId,
  ])

/** Crosses tenants: whose chain moved since its last checkpoint, or never had one, in the order of organisations. */
export const movedChainsOfAllOrgs = async (
  reader: Reader,
  { after, limit, neverSigned }: { after: string; limit: number; neverSigned: boolean },
): Promise<string[]> => {
  const rows = await reader.all<{ orgId: string }>(
    `SELECT org_id AS "orgId" FROM org_heads
     WHERE org_id > ? AND audit_seq > audit_signed${neverSigned ? ' AND audit_signed = 0' : ''} ORDER BY org_id LIMIT ?`,
    [after, limit],
  )
  return rows.map(({ orgId }) => orgId)
}
