import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const connectionsTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'config_id', 'provider', 'label', 'status', 'settings']) t.text(name).notNullable()
  for (const name of ['problem', 'wrapped_credentials', 'wrapped_secret']) t.text(name)
  for (const name of ['secret_set_at', 'connected_at']) t.bigInteger(name).notNullable()
  t.bigInteger('disconnected_at')
  t.primary(['org_id', 'config_id'])
  t.foreign(['org_id'], 'ats_connections_org_id_fkey').references(['org_id']).inTable('orgs')
}

const syncsTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'sync_id', 'config_id', 'direction', 'what', 'status', 'ref'])
    t.text(name).notNullable()
  for (const name of ['application_id', 'session_id', 'wrapped_news', 'problem', 'replay_of']) t.text(name)
  t.integer('attempts').notNullable()
  t.bigInteger('created_at').notNullable()
  for (const name of ['next_attempt_at', 'finished_at']) t.bigInteger(name)
  t.primary(['org_id', 'sync_id'])
}

const countsTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'config_id', 'direction', 'status']) t.text(name).notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'config_id', 'direction', 'status'])
}

/** Names of messages that have come. */
const keysTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'config_id', 'message_key']) t.text(name).notNullable()
  t.bigInteger('received_at').notNullable()
  t.primary(['org_id', 'config_id', 'message_key'])
}

const sessionsTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'session_id', 'config_id', 'application_id', 'candidate_id']) t.text(name).notNullable()
  t.bigInteger('linked_at').notNullable()
  t.primary(['org_id', 'session_id'])
}

/** Applicant tracking systems. */
export const ats: Migration = {
  name: '0420-ats',
  async up(h) {
    await h.createTable('ats_connections', connectionsTable)
    await h.createTable('ats_syncs', syncsTable)
    await h.sql('CREATE INDEX ats_syncs_listed ON ats_syncs (org_id, config_id, created_at, sync_id)')
    await h.sql('CREATE INDEX ats_syncs_in_status ON ats_syncs (org_id, config_id, status, created_at, sync_id)')
    await h.sql('CREATE INDEX ats_syncs_of_direction ON ats_syncs (org_id, config_id, direction, created_at, sync_id)')
    await h.sql(`CREATE INDEX ats_syncs_of_direction_in_status
      ON ats_syncs (org_id, config_id, direction, status, created_at, sync_id)`)
    await h.sql('CREATE INDEX ats_syncs_of_session ON ats_syncs (org_id, session_id) WHERE session_id IS NOT NULL')
    await h.createTable('ats_sync_counts', countsTable, { clustered: true })
    await h.createTable('ats_inbound_keys', keysTable, { clustered: true })
    await h.sql('CREATE INDEX ats_inbound_keys_age ON ats_inbound_keys (received_at)')
    await h.createTable('ats_sessions', sessionsTable)
    await h.sql(
      'CREATE INDEX ats_sessions_of_application ON ats_sessions (org_id, config_id, application_id, linked_at)',
    )
  },
  down: (h) => dropTables(h, 'ats_sessions', 'ats_inbound_keys', 'ats_sync_counts', 'ats_syncs', 'ats_connections'),
}
