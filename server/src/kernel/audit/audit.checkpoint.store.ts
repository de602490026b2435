import type { Reader, Tx } from '../../platform/db/types.ts'
import type { ChainHead } from './audit.verify.store.ts'

export interface StoredCheckpoint {
  readonly size: number
  readonly note: string
  readonly at: number
}

/** Keeps a checkpoint; one of the same size is there already when two processes signed at once. */
export const insertCheckpoint = async (tx: Tx, orgId: string, checkpoint: StoredCheckpoint): Promise<void> => {
  await tx.run('INSERT INTO audit_checkpoints (org_id, size, note, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING', [
    orgId,
    checkpoint.size,
    checkpoint.note,
    checkpoint.at,
  ])
}

/** Checkpoints with `after` < size ≤ `upTo`, smallest first. */
export const readCheckpoints = (
  reader: Reader,
  orgId: string,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<StoredCheckpoint[]> =>
  reader.all<StoredCheckpoint>(
    'SELECT size, note, at FROM audit_checkpoints WHERE org_id = ? AND size > ? AND size <= ? ORDER BY size LIMIT ?',
    [orgId, after, upTo, limit],
  )

export const readLastCheckpoint = (reader: Reader, orgId: string): Promise<StoredCheckpoint | undefined> =>
  reader.get<StoredCheckpoint>(
    'SELECT size, note, at FROM audit_checkpoints WHERE org_id = ? ORDER BY size DESC LIMIT 1',
    [orgId],
  )

/** Crosses tenants: heads that moved since the organisation's last checkpoint, in the order of organisations. */
export const movedHeadsOfAllOrgs = (
  reader: Reader,
  { after, limit }: { after: string; limit: number },
): Promise<(ChainHead & { orgId: string })[]> =>
  reader.all<ChainHead & { orgId: string }>(
    `SELECT h.org_id AS "orgId", h.audit_seq AS seq, h.audit_hash AS hash FROM org_heads h
     WHERE h.org_id > ? AND h.audit_seq >
       COALESCE((SELECT max(c.size) FROM audit_checkpoints c WHERE c.org_id = h.org_id), 0)
     ORDER BY h.org_id LIMIT ?`,
    [after, limit],
  )
