import type { Migration } from '../platform/db/migrate.ts'

/** Those under a hold are few among all sessions. */
export const heldSessions: Migration = {
  name: '0380-held-sessions',
  up: (h) => h.sql('CREATE INDEX sessions_held ON sessions (org_id) WHERE legal_hold = 1'),
  down: (h) => h.sql('DROP INDEX sessions_held'),
}
