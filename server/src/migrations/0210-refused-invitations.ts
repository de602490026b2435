import type { Migration } from '../platform/db/migrate.ts'

/** When the mail server refused the newest message of an invitation for good. */
export const refusedInvitations: Migration = {
  name: '0210-refused-invitations',
  up: (h) => h.schema((s) => s.alterTable('invitations', (t) => void t.bigInteger('refused_at'))),
  down: (h) => h.sql('ALTER TABLE invitations DROP COLUMN refused_at'),
}
