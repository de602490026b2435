import type { Db, Tx } from '../../platform/db/types.ts'
import type { SealedBlobs } from './shared-blobs.ts'

/** Shared blobs in an unlogged table. */
export const blobsInTable = (db: Db, now: () => number): SealedBlobs => ({
  keep: (key, sealed, ms) =>
    db.transact(async (tx) => {
      await tx.run(
        `INSERT INTO shared_blobs (fingerprint, sealed, until_at) VALUES (?, ?, ?)
         ON CONFLICT (fingerprint) DO UPDATE SET sealed = excluded.sealed, until_at = excluded.until_at`,
        [key, sealed, now() + ms],
      )
    }),
  async get(key) {
    const sql = 'SELECT sealed FROM shared_blobs WHERE fingerprint = ? AND until_at > ?'
    return (await db.reader.get<{ sealed: string }>(sql, [key, now()]))?.sealed
  },
  forget: (key) =>
    db.transact(async (tx) => {
      await tx.run('DELETE FROM shared_blobs WHERE fingerprint = ?', [key])
    }),
})

export const deleteBlobsBefore = async (tx: Tx, now: number): Promise<void> => {
  await tx.run('DELETE FROM shared_blobs WHERE until_at <= ?', [now])
}
