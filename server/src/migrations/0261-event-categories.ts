import type { Migration } from '../platform/db/migrate.ts'

/** Kinds about the recording itself, as the agents of this day send them. */
const isBookkeeping = `(kind = 'clock.corrected' OR kind LIKE 'agent.%' OR kind LIKE 'lane.%' OR kind LIKE 'permission.%'
  OR kind LIKE 'quality.%' OR kind LIKE 'spool.%')`

/** Observations have dense places among themselves, and so has bookkeeping. */
export const eventCategories: Migration = {
  name: '0261-event-categories',
  async up(h) {
    await h.schema((s) =>
      s.alterTable('integrity_events', (t) => {
        t.integer('bookkeeping').notNullable().defaultTo(0)
        t.bigInteger('category_position').notNullable().defaultTo(0)
      }),
    )
    await h.schema((s) =>
      s.alterTable('session_counters', (t) => void t.bigInteger('observation_count').notNullable().defaultTo(0)),
    )
    await h.sql(`UPDATE integrity_events SET bookkeeping = 1 WHERE ${isBookkeeping}`)
    await h.sql(`UPDATE integrity_events SET category_position = numbered.place FROM (
      SELECT org_id, session_id, position, row_number() OVER (
        PARTITION BY org_id, session_id, bookkeeping ORDER BY position) AS place FROM integrity_events) AS numbered
      WHERE numbered.org_id = integrity_events.org_id AND numbered.session_id = integrity_events.session_id
        AND numbered.position = integrity_events.position`)
    await h.sql(`UPDATE session_counters SET observation_count = (
      SELECT count(*) FROM integrity_events AS e WHERE e.org_id = session_counters.org_id
        AND e.session_id = session_counters.session_id AND e.bookkeeping = 0)`)
    await h.sql(`CREATE UNIQUE INDEX integrity_events_category
      ON integrity_events (org_id, session_id, bookkeeping, category_position)`)
    await h.sql('DROP INDEX integrity_events_observed')
    await h.sql(`CREATE INDEX integrity_events_observed
      ON integrity_events (org_id, session_id, bookkeeping, observed_at, position)`)
  },
  async down(h) {
    await h.sql('DROP INDEX integrity_events_observed')
    await h.sql(
      'create index "integrity_events_observed" on "integrity_events" ("org_id", "session_id", "observed_at", "position")',
    )
    await h.sql('DROP INDEX integrity_events_category')
    await h.sql('ALTER TABLE session_counters DROP COLUMN observation_count')
    await h.sql('ALTER TABLE integrity_events DROP COLUMN category_position')
    await h.sql('ALTER TABLE integrity_events DROP COLUMN bookkeeping')
  },
}
