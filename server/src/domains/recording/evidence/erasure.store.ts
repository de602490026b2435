import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Param, Reader, Tx } from '../../../platform/db/types.ts'
import type { Amount } from './usage.store.ts'

/** What is to be erased: a whole session, or its rows up to a position. */
export interface Erasure {
  readonly sessionId: string
  readonly until?: number | undefined
}

/** The rows an erasure still has to take; the same condition for every statement of it. */
const pending = (scope: Scope, { sessionId, until }: Erasure): { where: string; params: Param[] } => ({
  where: `org_id = ? AND environment = ? AND session_id = ?${until === undefined ? '' : ' AND position <= ?'} AND erased_at IS NULL`,
  params: [scope.orgId, scope.environment, sessionId, ...(until === undefined ? [] : [until])],
})

/** Takes the rows' references away and shreds what nobody refers to any more: without its header it cannot be opened. */
export const releaseObjects = async (tx: Tx, scope: Scope, erasure: Erasure, now: number): Promise<void> => {
  const { where, params } = pending(scope, erasure)
  await tx.run(
    `UPDATE objects SET refs = refs - gone.n
     FROM (SELECT object_id AS id, count(*) AS n FROM evidence WHERE ${where} GROUP BY object_id) AS gone
     WHERE objects.org_id = ? AND objects.object_id = gone.id`,
    [...params, scope.orgId],
  )
  await tx.run(
    `UPDATE objects SET header = NULL, erased_at = ? WHERE org_id = ? AND erased_at IS NULL AND refs <= 0
       AND object_id IN (SELECT object_id FROM evidence WHERE ${where})`,
    [now, scope.orgId, ...params],
  )
}

/** What the erasure still has to take, by type. */
export const sumPending = (reader: Reader, scope: Scope, erasure: Erasure): Promise<Amount[]> => {
  const { where, params } = pending(scope, erasure)
  return reader.all<Amount>(
    `SELECT evidence_type AS "evidenceType", count(*) AS objects, SUM(size_bytes) AS "sizeBytes" FROM evidence
     WHERE ${where} GROUP BY evidence_type ORDER BY evidence_type`,
    params,
  )
}

/** Takes it off the session's kept counts. */
export const countErased = async (tx: Tx, scope: Scope, sessionId: string, gone: readonly Amount[]): Promise<void> => {
  for (const { evidenceType, objects, sizeBytes } of gone)
    await tx.run(
      `UPDATE evidence_counts SET erased_objects = erased_objects + ?, size_bytes = size_bytes - ?
       WHERE org_id = ? AND session_id = ? AND evidence_type = ?`,
      [objects, sizeBytes, scope.orgId, sessionId, evidenceType],
    )
  const sum = (of: (amount: Amount) => number): number => gone.reduce((total, amount) => total + of(amount), 0)
  await tx.run(
    'UPDATE evidence_totals SET kept_objects = kept_objects - ?, size_bytes = size_bytes - ? WHERE org_id = ? AND session_id = ?',
    [sum(({ objects }) => objects), sum(({ sizeBytes }) => sizeBytes), scope.orgId, sessionId],
  )
}

/** The rows stay as tombstones, without what the agent said about them. */
export const buryRows = async (tx: Tx, scope: Scope, erasure: Erasure, now: number): Promise<number> => {
  const { where, params } = pending(scope, erasure)
  const { changes } = await tx.run(
    `UPDATE evidence SET erased_at = ?, metadata = '{}',
       source = CASE WHEN source LIKE 'screen:%' THEN 'screen' ELSE source END WHERE ${where}`,
    [now, ...params],
  )
  return changes
}

/** What has been erased of a session so far. */
export const erasedSoFar = async (
  reader: Reader,
  scope: Scope,
  sessionId: string,
): Promise<{ erasedObjects: number; erasedBytes: number }> => {
  const row = await reader.get<{ objects: number; bytes: number }>(
    `SELECT count(*) AS objects, COALESCE(SUM(size_bytes), 0) AS bytes FROM evidence
     WHERE org_id = ? AND environment = ? AND session_id = ? AND erased_at IS NOT NULL`,
    [scope.orgId, scope.environment, sessionId],
  )
  return { erasedObjects: row?.objects ?? 0, erasedBytes: row?.bytes ?? 0 }
}

/** The first rows of a session that are not erased: their positions, how many they are, their bytes. */
export const measureFirst = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  limit: number,
): Promise<{ from: number; until: number; objects: number; bytes: number } | undefined> => {
  const { where, params } = pending(scope, { sessionId })
  const row = await tx.get<{ first: number | null; until: number; objects: number; bytes: number }>(
    `SELECT min(position) AS first, max(position) AS until, count(*) AS objects, SUM(size_bytes) AS bytes
     FROM (SELECT position, size_bytes FROM evidence WHERE ${where} ORDER BY position LIMIT ?) AS firsts`,
    [...params, limit],
  )
  return row?.first == null ? undefined : { ...row, from: row.first }
}

/**
 * Where the shredded objects of a session lie, page by page along the rows' positions; of those that share a stored file only
 * once none that is there shares it with them. Keys are of slices there.
 */
export const listShredded = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<{ position: number; storeKey: string }[]> =>
  reader.all<{ position: number; storeKey: string }>(
    `SELECT e.position, o.store_key AS "storeKey"
     FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE e.org_id = ? AND e.environment = ? AND e.session_id = ? AND e.position > ? AND e.position <= ?
       AND o.erased_at IS NOT NULL AND (o.pack_id IS NULL OR NOT EXISTS (SELECT 1 FROM objects kept
         WHERE kept.org_id = o.org_id AND kept.pack_id = o.pack_id AND kept.erased_at IS NULL))
     ORDER BY e.position LIMIT ?`,
    [scope.orgId, scope.environment, sessionId, after, until, limit],
  )

/** The files of what was made beside shredded objects of a session, page by page; none beside which another object still needs it. */
export const listShreddedBeside = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  { after, until, limit }: { readonly after: number; readonly until: number; readonly limit: number },
): Promise<{ position: number; besideId: string }[]> =>
  reader.all<{ position: number; besideId: string }>(
    `SELECT e.position, o.beside_id AS "besideId"
     FROM evidence e JOIN objects o ON o.org_id = e.org_id AND o.object_id = e.object_id
     WHERE e.org_id = ? AND e.environment = ? AND e.session_id = ? AND e.position > ? AND e.position <= ?
       AND o.erased_at IS NOT NULL AND o.beside_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM objects kept
         WHERE kept.org_id = o.org_id AND kept.beside_id = o.beside_id AND kept.erased_at IS NULL)
     ORDER BY e.position LIMIT ?`,
    [scope.orgId, scope.environment, sessionId, after, until, limit],
  )

export const eraseClientIds = async (tx: Tx, scope: Scope, sessionId: string): Promise<void> => {
  await tx.run(
    `UPDATE evidence SET client_id = evidence_id
     WHERE org_id = ? AND environment = ? AND session_id = ? AND client_id <> evidence_id`,
    [scope.orgId, scope.environment, sessionId],
  )
}
