import type { Knex } from 'knex'
import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const rulesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.integer('default_days')
  t.bigInteger('set_at')
  t.integer('ceiling_days')
  t.integer('held').notNullable().defaultTo(0)
  t.primary(['org_id'])
  t.foreign(['org_id'], 'retention_rules_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** An empty session stands for the whole organisation. */
const holdsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.integer('position').notNullable()
  t.integer('placed').notNullable()
  t.text('reason')
  t.bigInteger('since')
  t.bigInteger('at').notNullable()
  t.text('by_kind').notNullable()
  t.text('by_id').notNullable()
  t.text('by_label')
  t.primary(['org_id', 'session_id', 'position'])
}

const windowsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('environment').notNullable()
  t.bigInteger('ended_at').notNullable()
  t.integer('told_days').notNullable()
  t.bigInteger('told_until').notNullable()
  t.primary(['org_id', 'session_id'])
  t.index(['org_id', 'told_until', 'session_id'], 'session_windows_told')
  t.index(['org_id', 'told_days', 'ended_at', 'session_id'], 'session_windows_days')
}

const sweepsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('sweep_id').notNullable()
  t.text('state').notNullable()
  t.bigInteger('started_at').notNullable()
  t.bigInteger('updated_at').notNullable()
  t.bigInteger('completed_at')
  for (const name of ['calls', 'erased_sessions', 'erased_objects', 'erased_bytes', 'held_sessions', 'remaining'])
    t.bigInteger(name).notNullable()
  t.text('note')
  t.primary(['org_id', 'sweep_id'])
  t.index(['org_id', 'started_at', 'sweep_id'], 'retention_sweeps_latest')
}

/** What the documents that were answered said, and what each ended session was told at most. */
const fill = async (h: MigrationHelpers): Promise<void> => {
  await h.sql({
    sqlite: "UPDATE consents SET retention_days = json_extract(document, '$.retentionDays')",
    postgres: "UPDATE consents SET retention_days = (document::json ->> 'retentionDays')::integer",
  })
  const days = {
    sqlite: "json_extract(s.config, '$.retentionDays')",
    postgres: "(s.config::json ->> 'retentionDays')::integer",
  }[h.engine]
  const least = { sqlite: 'min', postgres: 'least' }[h.engine]
  await h.sql(
    `INSERT INTO session_windows (org_id, session_id, environment, ended_at, told_days, told_until)
     SELECT org_id, session_id, environment, ended_at, days, ended_at + CAST(days AS bigint) * 86400000 FROM (
       SELECT s.org_id, s.session_id, s.environment, s.ended_at, ${least}(COALESCE(${days}, 90), COALESCE(
         (SELECT min(c.retention_days) FROM consents c WHERE c.org_id = s.org_id AND c.session_id = s.session_id), 3650)) AS days
       FROM sessions s WHERE s.ended_at IS NOT NULL AND s.erased_at IS NULL) AS ended`,
  )
}

/** Windows and ceilings of organisations, legal holds with their history, until when ended sessions are kept, sweeps. */
export const retention: Migration = {
  name: '0355-retention',
  async up(h) {
    await h.createTable('retention_rules', rulesTable)
    await h.createTable('legal_holds', holdsTable, { clustered: true })
    await h.immutable('legal_holds')
    await h.createTable('session_windows', windowsTable)
    await h.createTable('retention_sweeps', sweepsTable)
    await h.sql('ALTER TABLE consents ADD COLUMN retention_days integer')
    await fill(h)
  },
  async down(h) {
    await h.sql('ALTER TABLE consents DROP COLUMN retention_days')
    await dropTables(h, 'retention_sweeps', 'session_windows', 'legal_holds', 'retention_rules')
  },
}
