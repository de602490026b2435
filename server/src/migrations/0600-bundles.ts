import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Bundles that were built: of each kind that was asked for the newest. What they share with the evidence is not stored again. */
export const bundles: Migration = {
  name: '0600-bundles',
  async up(h) {
    await h.createTable('bundles', (t) => {
      t.text('org_id').notNullable()
      t.text('session_id').notNullable()
      t.text('variant').notNullable()
      t.text('environment').notNullable()
      t.text('inputs').notNullable()
      t.bigInteger('created_at').notNullable()
      t.bigInteger('expires_at').notNullable()
      t.bigInteger('size_bytes').notNullable()
      t.bigInteger('kept_bytes').notNullable()
      t.bigInteger('plan_bytes').notNullable()
      t.text('sha256').notNullable()
      t.text('store_key').notNullable()
      t.text('header').notNullable()
      t.primary(['org_id', 'session_id', 'variant'])
      t.foreign(['org_id', 'session_id'], 'bundles_org_id_session_id_fkey')
        .references(['org_id', 'session_id'])
        .inTable('sessions')
    })
    await h.sql('CREATE INDEX bundles_expiry ON bundles (expires_at)')
  },
  down: (h) => dropTables(h, 'bundles'),
}
