import type { Migration } from '../platform/db/migrate.ts'

/** A sign-in belongs to the browser that began it. */
export const ssoBrowser: Migration = {
  name: '0403-sso-browser',
  async up(h) {
    await h.schema((s) => s.alterTable('sso_requests', (t) => void t.text('browser_hash')))
  },
  async down(h) {
    await h.sql('ALTER TABLE sso_requests DROP COLUMN browser_hash')
  },
}
