import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** The minute in which somebody looked at a session live last, so that processes write one audit row for it together. */
export const sessionWatches: Migration = {
  name: '0820-session-watches',
  async up(h) {
    await h.sql(`CREATE TABLE session_watches (
      org_id text NOT NULL,
      session_id text NOT NULL,
      user_id text NOT NULL,
      minute bigint NOT NULL,
      PRIMARY KEY (org_id, session_id, user_id))`)
  },
  async down(h) {
    await dropTables(h, 'session_watches')
  },
}
