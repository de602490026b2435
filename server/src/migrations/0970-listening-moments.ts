import type { Migration } from '../platform/db/migrate.ts'

const before = `kind IN ('display.added', 'display.removed', 'process.matched', 'process.ended', 'device.added',
  'device.removed', 'vm.hint', 'clock.jumped', 'window.exclusion_started', 'window.exclusion_ended')`
/** The kinds that rules about moments read now. The condition is spelled as they ask (`integrity-events.store.ts`). */
const now = `kind IN ('display.added', 'display.removed', 'process.matched', 'process.ended', 'device.added',
  'device.removed', 'vm.hint', 'clock.jumped', 'window.exclusion_started', 'window.exclusion_ended',
  'listener.started', 'listener.ended', 'remote_session.started', 'remote_session.ended',
  'input.origin')`

const indexed = (kinds: string): string => `CREATE INDEX integrity_events_moments
  ON integrity_events (org_id, session_id, kind, observed_at, position) WHERE ${kinds}`

/** The index of such events has those of the newer observers too. */
export const listeningMoments: Migration = {
  name: '0970-listening-moments',
  async up(h) {
    await h.sql('DROP INDEX integrity_events_moments')
    await h.sql(indexed(now))
  },
  async down(h) {
    await h.sql('DROP INDEX integrity_events_moments')
    await h.sql(indexed(before))
  },
}
