import type { Reader, Tx } from '../../../platform/db/types.ts'
import type { FailedObject } from './storage.types.ts'

export interface MigrationRow {
  readonly claim: string | null
  /** Until then nobody else moves anything of the organisation, and no other place is chosen. */
  readonly claimedUntil: number
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly completedAt: number | null
  readonly moved: number
  readonly remaining: number
  readonly failed: readonly FailedObject[]
}

const columns = `claim, claimed_until AS "claimedUntil", started_at AS "startedAt", updated_at AS "updatedAt",
  completed_at AS "completedAt", moved, remaining, failed`

const parsed = (row: (Omit<MigrationRow, 'failed'> & { failed: string }) | undefined): MigrationRow | undefined =>
  row && { ...row, failed: JSON.parse(row.failed) as FailedObject[] }

/** A migration is of both environments: its organisation is the whole scope. */
export const findMigration = async (reader: Reader, orgId: string): Promise<MigrationRow | undefined> =>
  parsed(await reader.get(`SELECT ${columns} FROM storage_migrations WHERE org_id = ?`, [orgId]))

/** The organisation's migration, unchanged by anybody else until the commit; with it its places. */
export const lockMigration = async (tx: Tx, orgId: string): Promise<MigrationRow> => {
  await tx.run('INSERT INTO storage_migrations (org_id) VALUES (?) ON CONFLICT (org_id) DO NOTHING', [orgId])
  const row = parsed(await tx.get(`SELECT ${columns} FROM storage_migrations WHERE org_id = ?${tx.forUpdate}`, [orgId]))
  if (!row) throw new Error('the row that was made is not there')
  return row
}

/** Call with the migration locked. */
export const saveMigration = async (tx: Tx, orgId: string, row: MigrationRow): Promise<void> => {
  await tx.run(
    `UPDATE storage_migrations SET claim = ?, claimed_until = ?, started_at = ?, updated_at = ?, completed_at = ?,
       moved = ?, remaining = ?, failed = ? WHERE org_id = ?`,
    [
      ...[row.claim, row.claimedUntil, row.startedAt, row.updatedAt, row.completedAt, row.moved, row.remaining],
      ...[JSON.stringify(row.failed), orgId],
    ],
  )
}

/** Holds the claim for longer. False when it is somebody else's by now. */
export const renewClaim = async (tx: Tx, orgId: string, claim: string, until: number): Promise<boolean> => {
  const sql = 'UPDATE storage_migrations SET claimed_until = ? WHERE org_id = ? AND claim = ?'
  return (await tx.run(sql, [until, orgId, claim])).changes === 1
}

export const insertRemoval = async (tx: Tx, orgId: string, key: string, at: number): Promise<void> => {
  await tx.run(
    `INSERT INTO storage_removals (org_id, store_key, at) VALUES (?, ?, ?)
     ON CONFLICT (org_id, store_key) DO UPDATE SET at = excluded.at`,
    [orgId, key, at],
  )
}

export const wasRemoved = async (reader: Reader, orgId: string, key: string): Promise<boolean> =>
  (await reader.get('SELECT 1 AS found FROM storage_removals WHERE org_id = ? AND store_key = ?', [orgId, key])) !==
  undefined

/** Across organisations: nothing that was on its way then can still be. */
export const deleteRemovalsOfAllOrgs = async (tx: Tx, before: number, limit: number): Promise<number> => {
  const { changes } = await tx.run(
    `DELETE FROM storage_removals WHERE (org_id, store_key) IN (
       SELECT org_id, store_key FROM storage_removals WHERE at < ? LIMIT ?)`,
    [before, limit],
  )
  return changes
}
