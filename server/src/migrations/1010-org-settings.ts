import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** What reviewers are shown of every interview, and how often settings of an organisation were set. */
export const orgSettings: Migration = {
  name: '1010-org-settings',
  async up(h) {
    await h.createTable(
      'org_review_settings',
      (t) => {
        t.text('org_id').notNullable()
        t.bigInteger('base_rates').notNullable()
        t.bigInteger('version').notNullable()
        t.bigInteger('updated_at').notNullable()
        t.primary(['org_id'])
      },
      { clustered: true },
    )
    await h.sql('ALTER TABLE org_data_protection ADD COLUMN version bigint NOT NULL DEFAULT 1')
  },
  async down(h) {
    await h.sql('ALTER TABLE org_data_protection DROP COLUMN version')
    await dropTables(h, 'org_review_settings')
  },
}
