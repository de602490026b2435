import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Every evidence row carries a MAC; one row tells how far those from before this have been given theirs. */
export const evidenceBinding: Migration = {
  name: '0510-evidence-binding',
  async up(h) {
    await h.sql('ALTER TABLE evidence ADD COLUMN mac text')
    await h.createTable('evidence_bindings', (t) => {
      t.integer('place').notNullable()
      t.text('state').notNullable()
      t.text('org_id').notNullable()
      t.text('evidence_id').notNullable()
      t.text('mac').notNullable()
      t.primary(['place'])
    })
  },
  async down(h) {
    await dropTables(h, 'evidence_bindings')
    await h.sql('ALTER TABLE evidence DROP COLUMN mac')
  },
}
