import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const integrityEventsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.bigInteger('position').notNullable()
  t.text('event_id').notNullable()
  t.text('client_id').notNullable()
  t.text('kind').notNullable()
  t.bigInteger('observed_at').notNullable()
  t.double('monotonic_ms')
  t.text('source').notNullable()
  t.text('data').notNullable()
  t.bigInteger('received_at').notNullable()
  t.primary(['org_id', 'session_id', 'position'])
  // Clients make time-ordered ids, so with the session last all sessions append to the same end of this index.
  t.unique(['org_id', 'client_id', 'session_id'], { indexName: 'integrity_events_client', useConstraint: false })
}

const integrityEventCountsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('kind').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'session_id', 'kind'])
}

const laneHealthTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('lane').notNullable()
  t.text('display_id').notNullable()
  t.text('health').notNullable()
  t.text('reason')
  t.bigInteger('since').notNullable()
  t.primary(['org_id', 'session_id', 'lane', 'display_id'])
}

const laneWindowsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('lane').notNullable()
  t.text('display_id').notNullable()
  t.bigInteger('from_at').notNullable()
  t.text('client_id').notNullable()
  t.bigInteger('to_at').notNullable()
  t.double('expected_seconds').notNullable()
  t.double('observed_seconds').notNullable()
  t.primary(['org_id', 'session_id', 'lane', 'display_id', 'from_at', 'client_id'])
}

const laneGapsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('lane').notNullable()
  t.text('display_id').notNullable()
  t.bigInteger('from_at').notNullable()
  t.text('client_id').notNullable()
  t.bigInteger('to_at').notNullable()
  t.text('reason').notNullable()
  t.primary(['org_id', 'session_id', 'lane', 'display_id', 'from_at', 'client_id'])
}

/** Integrity events in the order of receipt, their counts, and what the server reads out of the lane kinds. */
export const integrityEvents: Migration = {
  name: '0030-integrity-events',
  async up(h) {
    await h.createTable('integrity_events', integrityEventsTable, { clustered: true })
    await h.createTable('integrity_event_counts', integrityEventCountsTable, { clustered: true })
    await h.createTable('lane_health', laneHealthTable, { clustered: true })
    await h.createTable('lane_windows', laneWindowsTable, { clustered: true })
    await h.createTable('lane_gaps', laneGapsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'lane_gaps', 'lane_windows', 'lane_health', 'integrity_event_counts', 'integrity_events'),
}
