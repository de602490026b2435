import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/**
 * What several processes know together for a moment. Unlogged: in no log, on no replica, and empty after a crash of the
 * database. SQLite serves one process, which keeps all this in its own memory: there these tables stay empty.
 */
export const sharedMemory: Migration = {
  name: '0640-shared-memory',
  async up(h) {
    const table = h.engine === 'postgres' ? 'CREATE UNLOGGED TABLE' : 'CREATE TABLE'
    await h.sql(`${table} rate_windows (
      window_at bigint NOT NULL,
      fingerprint text NOT NULL,
      used double precision NOT NULL,
      granted double precision NOT NULL,
      ceiling double precision NOT NULL,
      cost double precision NOT NULL,
      least double precision NOT NULL,
      ahead double precision NOT NULL,
      PRIMARY KEY (window_at, fingerprint))`)
    await h.sql(`${table} server_processes (
      process_id text NOT NULL PRIMARY KEY,
      seen_at bigint NOT NULL)`)
  },
  async down(h) {
    await dropTables(h, 'server_processes', 'rate_windows')
  },
}
