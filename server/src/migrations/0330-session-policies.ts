import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const author = (t: Knex.CreateTableBuilder): void => {
  t.text('created_by_kind').notNullable()
  t.text('created_by_id').notNullable()
  t.text('created_by_label')
}

const policiesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('policy_id').notNullable()
  t.text('name').notNullable()
  t.text('description')
  t.text('state').notNullable()
  t.integer('version').notNullable()
  t.bigInteger('created_at').notNullable()
  author(t)
  t.bigInteger('updated_at').notNullable()
  t.bigInteger('archived_at')
  t.foreign(['org_id'], 'session_policies_org_id_fkey').references(['org_id']).inTable('orgs')
  t.primary(['org_id', 'policy_id'])
  t.index(['org_id', 'state', 'created_at', 'policy_id'], 'session_policies_listed')
}

const versionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('policy_id').notNullable()
  t.integer('version').notNullable()
  t.text('config').notNullable()
  t.bigInteger('created_at').notNullable()
  author(t)
  t.foreign(['org_id', 'policy_id'], 'session_policy_versions_policy_fkey')
    .references(['org_id', 'policy_id'])
    .inTable('session_policies')
  t.primary(['org_id', 'policy_id', 'version'])
}

/** Integrity policies, their versions, which nothing changes, and which version a session was made with. */
export const sessionPolicies: Migration = {
  name: '0330-session-policies',
  async up(h) {
    await h.createTable('session_policies', policiesTable)
    await h.createTable('session_policy_versions', versionsTable, { clustered: true })
    await h.immutable('session_policy_versions')
    await h.schema((s) => s.alterTable('sessions', (t) => void t.integer('made_with_version')))
  },
  async down(h) {
    await h.sql('ALTER TABLE sessions DROP COLUMN made_with_version')
    await dropTables(h, 'session_policy_versions', 'session_policies')
  },
}
