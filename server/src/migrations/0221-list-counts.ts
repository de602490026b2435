import type { Knex } from 'knex'
import type { Migration, MigrationHelpers } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const eventCountsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('type').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'environment', 'session_id', 'type'])
}

const sessionCountsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('environment').notNullable()
  t.text('state').notNullable()
  t.text('provisioned_id').notNullable()
  t.bigInteger('width_ms').notNullable()
  t.bigInteger('bucket').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'environment', 'state', 'provisioned_id', 'width_ms', 'bucket'])
}

const deliveryCountsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('endpoint_id').notNullable()
  t.text('status').notNullable()
  t.text('event_type').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'endpoint_id', 'status', 'event_type'])
}

const requestCountsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('environment').notNullable()
  t.text('status').notNullable()
  t.text('kind').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'environment', 'status', 'kind'])
}

/** A minute, then 32 of the one before: what `sessions.counts.store.ts` keeps at this version. */
const widths = [1, 32, 1024, 32_768, 1_048_576].map((minutes) => minutes * 60_000)

const countSessions = async (h: MigrationHelpers): Promise<void> => {
  for (const width of widths)
    for (const state of ["''", 'state'])
      for (const provisioner of ["''", 'provisioned_id'])
        await h.sql(
          `INSERT INTO session_counts (org_id, environment, state, provisioned_id, width_ms, bucket, n)
           SELECT org_id, environment, ${state}, ${provisioner}, ${width}, created_at / ${width}, count(*) FROM sessions
           GROUP BY 1, 2, 3, 4, 6`,
        )
}

const countRows = async (h: MigrationHelpers): Promise<void> => {
  await h.sql(`INSERT INTO event_counts (org_id, environment, session_id, type, n)
    SELECT org_id, environment, '', type, count(*) FROM events GROUP BY org_id, environment, type`)
  await h.sql(`INSERT INTO event_counts (org_id, environment, session_id, type, n)
    SELECT org_id, environment, session_id, type, count(*) FROM events WHERE session_id IS NOT NULL
    GROUP BY org_id, environment, session_id, type`)
  await countSessions(h)
  await h.sql(`INSERT INTO webhook_delivery_counts (org_id, endpoint_id, status, event_type, n)
    SELECT org_id, endpoint_id, status, event_type, count(*) FROM webhook_deliveries
    GROUP BY org_id, endpoint_id, status, event_type`)
  await h.sql(`INSERT INTO candidate_request_counts (org_id, environment, status, kind, n)
    SELECT org_id, environment, status, kind, count(*) FROM candidate_requests
    GROUP BY org_id, environment, status, kind`)
  await h.sql(`UPDATE sessions SET segment_count = (SELECT count(*) FROM transcript_segments t
    WHERE t.org_id = sessions.org_id AND t.session_id = sessions.session_id)`)
}

/** The totals of lists, kept instead of counted. An empty id or state stands for all of them. */
export const listCounts: Migration = {
  name: '0221-list-counts',
  async up(h) {
    await h.createTable('event_counts', eventCountsTable, { clustered: true })
    await h.createTable('session_counts', sessionCountsTable, { clustered: true })
    await h.createTable('webhook_delivery_counts', deliveryCountsTable, { clustered: true })
    await h.createTable('candidate_request_counts', requestCountsTable, { clustered: true })
    await h.schema((s) =>
      s.alterTable('sessions', (t) => void t.bigInteger('segment_count').notNullable().defaultTo(0)),
    )
    await countRows(h)
  },
  async down(h) {
    await h.sql('ALTER TABLE sessions DROP COLUMN segment_count')
    await dropTables(h, 'candidate_request_counts', 'webhook_delivery_counts', 'session_counts', 'event_counts')
  },
}
