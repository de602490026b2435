import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** What is shown live and kept nowhere, for as long as another process may be asked for it. Sealed; see 0640. */
export const sharedBlobs: Migration = {
  name: '0641-shared-blobs',
  async up(h) {
    const table = h.engine === 'postgres' ? 'CREATE UNLOGGED TABLE' : 'CREATE TABLE'
    await h.sql(`${table} shared_blobs (
      fingerprint text NOT NULL PRIMARY KEY,
      sealed text NOT NULL,
      until_at bigint NOT NULL)`)
  },
  async down(h) {
    await dropTables(h, 'shared_blobs')
  },
}
