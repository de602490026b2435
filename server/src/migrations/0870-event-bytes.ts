import type { Migration } from '../platform/db/migrate.ts'

/** How much a session's events hold, so that it can be bounded; those of sessions before count nothing. */
export const eventBytes: Migration = {
  name: '0870-event-bytes',
  up: (h) =>
    h.schema((s) =>
      s.alterTable('session_counters', (t) => void t.bigInteger('event_bytes').notNullable().defaultTo(0)),
    ),
  down: (h) => h.sql('ALTER TABLE session_counters DROP COLUMN event_bytes'),
}
