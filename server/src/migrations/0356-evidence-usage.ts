import type { Knex } from 'knex'
import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const totalsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.bigInteger('objects').notNullable()
  t.bigInteger('kept_objects').notNullable()
  t.bigInteger('size_bytes').notNullable()
  t.primary(['org_id', 'session_id'])
}

/** A day is counted from 1970 in UTC; day -1 is all of them. */
const usageTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.bigInteger('day').notNullable()
  t.text('evidence_type').notNullable()
  for (const name of ['added_objects', 'added_bytes', 'erased_objects', 'erased_bytes'])
    t.bigInteger(name).notNullable()
  t.primary(['org_id', 'day', 'evidence_type'])
}

const fillUsage = async (h: MigrationHelpers, day: (at: string) => string): Promise<void> => {
  await h.sql(
    `INSERT INTO evidence_usage (org_id, day, evidence_type, added_objects, added_bytes, erased_objects, erased_bytes)
     SELECT org_id, day, evidence_type, SUM(added), SUM(added_bytes), SUM(erased), SUM(erased_bytes) FROM (
       SELECT org_id, ${day('created_at')} AS day, evidence_type, 1 AS added, size_bytes AS added_bytes, 0 AS erased,
         0 AS erased_bytes FROM evidence
       UNION ALL SELECT org_id, ${day('erased_at')}, evidence_type, 0, 0, 1, size_bytes FROM evidence
       WHERE erased_at IS NOT NULL) AS changes GROUP BY org_id, day, evidence_type`,
  )
}

/** What is kept of each session, and what was added and erased each day. */
export const evidenceUsage: Migration = {
  name: '0356-evidence-usage',
  async up(h) {
    await h.createTable('evidence_totals', totalsTable, { clustered: true })
    await h.sql('CREATE INDEX evidence_totals_size ON evidence_totals (org_id, size_bytes, session_id)')
    await h.sql(`INSERT INTO evidence_totals (org_id, session_id, objects, kept_objects, size_bytes)
      SELECT org_id, session_id, SUM(objects), SUM(objects - erased_objects), SUM(size_bytes) FROM evidence_counts
      GROUP BY org_id, session_id`)
    await h.createTable('evidence_usage', usageTable, { clustered: true })
    await fillUsage(h, (at) => `${at} / 86400000`)
    await fillUsage(h, () => '-1')
  },
  down: (h) => dropTables(h, 'evidence_usage', 'evidence_totals'),
}
