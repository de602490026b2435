import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** A key for each session, apart from what it opens. Rows in the order of writing: a key is never moved between pages. */
export const sessionKeys: Migration = {
  name: '0511-session-keys',
  async up(h) {
    await h.createTable('session_keys', (t) => {
      t.text('org_id').notNullable()
      t.text('session_id').notNullable()
      t.text('wrapped').notNullable()
      t.primary(['org_id', 'session_id'])
    })
  },
  down: (h) => dropTables(h, 'session_keys'),
}
