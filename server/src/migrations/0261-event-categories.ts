import type { Migration } from '../platform/db/migrate.ts'

/** Kinds about the recording itself, as the agents of this day send them. */
const isBookkeeping = `(kind = 'clock.corrected' OR kind LIKE 'agent.%' OR kind LIKE 'lane.%' OR kind LIKE 'permission.%'
  OR kind LIKE 'quality.%' OR kind LIKE 'spool.%')`

/** Observations have a dense place among themselves, bookkeeping has none. */
export const eventCategories: Migration = {
  name: '0261-event-categories',
  async up(h) {
    await h.schema((s) => s.alterTable('integrity_events', (t) => void t.bigInteger('observation_position')))
    await h.schema((s) =>
      s.alterTable('session_counters', (t) => void t.bigInteger('observation_count').notNullable().defaultTo(0)),
    )
    await h.sql(`UPDATE integrity_events SET observation_position = (
      SELECT count(*) FROM integrity_events AS e WHERE e.org_id = integrity_events.org_id
        AND e.session_id = integrity_events.session_id AND e.position <= integrity_events.position
        AND NOT ${isBookkeeping.replaceAll('kind', 'e.kind')}) WHERE NOT ${isBookkeeping}`)
    await h.sql(`UPDATE session_counters SET observation_count = (
      SELECT count(*) FROM integrity_events AS e WHERE e.org_id = session_counters.org_id
        AND e.session_id = session_counters.session_id AND e.observation_position IS NOT NULL)`)
    await h.sql(`CREATE UNIQUE INDEX integrity_events_observations
      ON integrity_events (org_id, session_id, observation_position) WHERE observation_position IS NOT NULL`)
    await h.sql(`CREATE INDEX integrity_events_bookkeeping
      ON integrity_events (org_id, session_id, position) WHERE observation_position IS NULL`)
    await h.sql('DROP INDEX integrity_events_observed')
    await h.sql(`CREATE INDEX integrity_events_observed
      ON integrity_events (org_id, session_id, observed_at, position) WHERE observation_position IS NOT NULL`)
    await h.sql(`CREATE INDEX integrity_events_kept
      ON integrity_events (org_id, session_id, observed_at, position) WHERE observation_position IS NULL`)
  },
  async down(h) {
    await h.sql('DROP INDEX integrity_events_kept')
    await h.sql('DROP INDEX integrity_events_observed')
    await h.sql(
      'CREATE INDEX integrity_events_observed ON integrity_events (org_id, session_id, observed_at, position)',
    )
    await h.sql('DROP INDEX integrity_events_bookkeeping')
    await h.sql('DROP INDEX integrity_events_observations')
    await h.sql('ALTER TABLE session_counters DROP COLUMN observation_count')
    await h.sql('ALTER TABLE integrity_events DROP COLUMN observation_position')
  },
}
