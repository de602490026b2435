import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** When an organisation was last told of what is due. */
export const retentionReminders: Migration = {
  name: '0860-retention-reminders',
  up: (h) =>
    h.createTable(
      'retention_reminders',
      (t) => {
        t.text('org_id').notNullable()
        t.bigInteger('reminded_at').notNullable()
        t.primary(['org_id'])
      },
      { clustered: true },
    ),
  down: (h) => dropTables(h, 'retention_reminders'),
}
