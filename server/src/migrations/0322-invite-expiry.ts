import type { Migration } from '../platform/db/migrate.ts'

/** Open invites whose time is over are counted and closed. */
export const inviteExpiry: Migration = {
  name: '0322-invite-expiry',
  up: (h) => h.sql("CREATE INDEX invites_expiry ON invites (org_id, expires_at) WHERE state = 'open'"),
  down: (h) => h.sql('DROP INDEX invites_expiry'),
}
