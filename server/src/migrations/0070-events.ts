import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const eventsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('environment').notNullable()
  t.bigInteger('seq').notNullable()
  t.text('event_id').notNullable()
  t.text('type').notNullable()
  t.text('session_id')
  t.bigInteger('created_at').notNullable()
  t.text('envelope').notNullable()
  t.primary(['org_id', 'environment', 'seq'])
  t.unique(['org_id', 'environment', 'event_id'], { indexName: 'events_id', useConstraint: false })
  t.index(['org_id', 'environment', 'session_id', 'seq'], 'events_session')
  t.index(['org_id', 'environment', 'type', 'seq'], 'events_type')
}

/** The outbox: published events with a sequence for each organisation and environment, dense and in commit order. */
export const events: Migration = {
  name: '0070-events',
  async up(h) {
    await h.createTable('events', eventsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'events'),
}
