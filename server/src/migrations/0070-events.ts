import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** The outbox: published events with a sequence for each organisation and environment, dense and in commit order. */
export const events: Migration = {
  name: '0070-events',
  async up(h) {
    await clustered(
      h,
      `CREATE TABLE events (
      org_id text NOT NULL, environment text NOT NULL, seq bigint NOT NULL, event_id text NOT NULL, type text NOT NULL,
      session_id text, created_at bigint NOT NULL, envelope text NOT NULL, PRIMARY KEY (org_id, environment, seq))`,
    )
    await h.sql('CREATE UNIQUE INDEX events_id ON events (org_id, environment, event_id)')
    await h.sql('CREATE INDEX events_session ON events (org_id, environment, session_id, seq)')
    await h.sql('CREATE INDEX events_type ON events (org_id, environment, type, seq)')
  },
  down: (h) => dropTables(h, 'events'),
}
