import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Who stamps an organisation's checkpoints, and the time stamps, each beside the checkpoint that it is of. */
export const timestamps: Migration = {
  name: '1020-timestamps',
  async up(h) {
    await h.createTable(
      'time_authorities',
      (t) => {
        t.text('org_id').notNullable()
        t.text('url')
        t.text('policy')
        t.text('certificates')
        t.bigInteger('asked_size').notNullable().defaultTo(0)
        t.bigInteger('asked_at').notNullable().defaultTo(0)
        t.text('problem')
        t.primary(['org_id'])
      },
      { clustered: true },
    )
    await h.createTable(
      'audit_timestamps',
      (t) => {
        t.text('org_id').notNullable()
        t.bigInteger('size').notNullable()
        t.bigInteger('stamped_at').notNullable()
        t.text('authority').notNullable()
        t.text('token').notNullable()
        t.primary(['org_id', 'size'])
      },
      { clustered: true },
    )
    await h.immutable('audit_timestamps')
  },
  async down(h) {
    await h.mutable('audit_timestamps')
    await dropTables(h, 'audit_timestamps', 'time_authorities')
  },
}
