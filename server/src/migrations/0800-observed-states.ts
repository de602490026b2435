import type { Migration } from '../platform/db/migrate.ts'

/**
 * What observers found as they began is no event, and every list of events leaves it out. Few among many, it stands in an index
 * of its own. The condition is spelled as it is asked for (`integrity-events.states.store.ts`).
 */
export const observedStates: Migration = {
  name: '0800-observed-states',
  async up(h) {
    await h.sql(`CREATE INDEX integrity_events_states
      ON integrity_events (org_id, session_id, position) WHERE data LIKE '%"sinceBeforeSession":true%'`)
  },
  async down(h) {
    await h.sql('DROP INDEX integrity_events_states')
  },
}
