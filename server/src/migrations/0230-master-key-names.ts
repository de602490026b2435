import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Which master key the database was written under: one row, or none before the first start. */
export const masterKeyNames: Migration = {
  name: '0230-master-key-names',
  async up(h) {
    await h.createTable('master_key_names', (t) => {
      t.integer('place').notNullable()
      t.text('key_id').notNullable()
      t.primary(['place'])
    })
    // A wrapped value begins with its version and the name of its key: `v1.0123abcd.…`.
    await h.sql(
      'INSERT INTO master_key_names (place, key_id) SELECT 1, substr(wrapped_identity, 4, 8) FROM orgs ORDER BY org_id LIMIT 1',
    )
  },
  down: (h) => dropTables(h, 'master_key_names'),
}
