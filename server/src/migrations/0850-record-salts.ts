import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/**
 * What the commitments of a session's records are salted with: 16 random bytes in hex, which go with an erasure. An empty
 * session is the organisation itself.
 */
export const recordSalts: Migration = {
  name: '0850-record-salts',
  async up(h) {
    await h.sql(`CREATE TABLE record_salts (
      org_id text NOT NULL,
      session_id text NOT NULL,
      salt text NOT NULL,
      PRIMARY KEY (org_id, session_id))`)
  },
  async down(h) {
    await dropTables(h, 'record_salts')
  },
}
