import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** What candidates read of who answers for their data, and the newest statement that was computed of an organisation. */
export const statements: Migration = {
  name: '0960-statements',
  async up(h) {
    await h.createTable(
      'org_data_protection',
      (t) => {
        t.text('org_id').notNullable()
        t.text('settings').notNullable()
        t.bigInteger('updated_at').notNullable()
        t.primary(['org_id'])
      },
      { clustered: true },
    )
    await h.createTable(
      'org_statements',
      (t) => {
        t.text('org_id').notNullable()
        t.bigInteger('number').notNullable()
        t.text('sentences').notNullable()
        t.bigInteger('changed_at').notNullable()
        t.bigInteger('compare_at')
        t.primary(['org_id'])
        t.index(['compare_at'], 'org_statements_due')
      },
      { clustered: true },
    )
  },
  down: (h) => dropTables(h, 'org_statements', 'org_data_protection'),
}
