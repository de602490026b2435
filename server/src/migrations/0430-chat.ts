import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const integrationsTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'integration_id', 'provider', 'workspace_id', 'workspace', 'status', 'events'])
    t.text(name).notNullable()
  for (const name of ['wrapped_secret', 'problem', 'channel_id', 'channel_name']) t.text(name)
  t.integer('review_threshold')
  t.integer('show_candidate_label').notNullable()
  t.integer('above_threshold').notNullable()
  t.bigInteger('connected_at').notNullable()
  t.bigInteger('disconnected_at')
  t.primary(['org_id', 'integration_id'])
  t.foreign(['org_id'], 'chat_integrations_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** An install that has begun: of its state nothing but the hash is kept. */
const statesTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'state_hash', 'user_id', 'provider']) t.text(name).notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['org_id', 'state_hash'])
}

/** No words: what is said is made when it is sent. */
const deliveriesTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'delivery_id', 'integration_id', 'environment', 'event_type', 'status'])
    t.text(name).notNullable()
  for (const name of ['session_id', 'problem', 'replay_of']) t.text(name)
  t.integer('attempts').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('finished_at')
  t.primary(['org_id', 'delivery_id'])
}

const countsTable = (t: Knex.CreateTableBuilder): void => {
  for (const name of ['org_id', 'integration_id', 'status']) t.text(name).notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'integration_id', 'status'])
}

/** Announcements in a team's chat. */
export const chat: Migration = {
  name: '0430-chat',
  async up(h) {
    await h.createTable('chat_integrations', integrationsTable)
    await h.sql(`CREATE UNIQUE INDEX chat_integrations_workspace ON chat_integrations (org_id, provider, workspace_id)
      WHERE disconnected_at IS NULL`)
    await h.createTable('chat_states', statesTable)
    await h.sql('CREATE INDEX chat_states_hash ON chat_states (state_hash)')
    await h.sql('CREATE INDEX chat_states_expiry ON chat_states (expires_at)')
    await h.createTable('chat_deliveries', deliveriesTable)
    await h.sql(`CREATE INDEX chat_deliveries_listed
      ON chat_deliveries (org_id, integration_id, created_at, delivery_id)`)
    await h.sql(`CREATE INDEX chat_deliveries_in_status
      ON chat_deliveries (org_id, integration_id, status, created_at, delivery_id)`)
    await h.createTable('chat_delivery_counts', countsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'chat_delivery_counts', 'chat_deliveries', 'chat_states', 'chat_integrations'),
}
