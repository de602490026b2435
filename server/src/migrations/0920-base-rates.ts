import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** In how many interviews of a policy each rule found something, and how far they were counted. */
export const baseRates: Migration = {
  name: '0920-base-rates',
  async up(h) {
    await h.createTable(
      'session_rules',
      (t) => {
        t.text('org_id').notNullable()
        t.text('session_id').notNullable()
        t.text('rule').notNullable()
        t.text('environment').notNullable()
        t.text('policy_id').notNullable()
        t.primary(['org_id', 'session_id', 'rule'])
      },
      { clustered: true },
    )
    await h.createTable(
      'base_rates',
      (t) => {
        t.text('org_id').notNullable()
        t.text('environment').notNullable()
        t.text('policy_id').notNullable()
        t.text('rule').notNullable()
        t.bigInteger('sessions').notNullable()
        t.primary(['org_id', 'environment', 'policy_id', 'rule'])
      },
      { clustered: true },
    )
    await h.createTable(
      'base_rate_marks',
      (t) => {
        t.text('org_id').notNullable()
        t.text('environment').notNullable()
        t.bigInteger('ended_at').notNullable()
        t.text('session_id').notNullable()
        t.primary(['org_id', 'environment'])
      },
      { clustered: true },
    )
  },
  down: (h) => dropTables(h, 'session_rules', 'base_rates', 'base_rate_marks'),
}
