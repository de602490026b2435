import type { Migration } from '../platform/db/migrate.ts'

/** The kinds that rules about moments read. The condition is spelled as they ask (`integrity-events.store.ts`). */
const ofMoments = `kind IN ('display.added', 'display.removed', 'process.matched', 'process.ended', 'device.added',
  'device.removed', 'vm.hint', 'clock.jumped', 'window.exclusion_started', 'window.exclusion_ended')`

/** Such events are few among many: they stand in an index of their own, which costs the others nothing. */
export const momentEvents: Migration = {
  name: '0350-moment-events',
  async up(h) {
    await h.sql(`CREATE INDEX integrity_events_moments
      ON integrity_events (org_id, session_id, kind, observed_at, position) WHERE ${ofMoments}`)
  },
  async down(h) {
    await h.sql('DROP INDEX integrity_events_moments')
  },
}
