import type { Migration } from '../platform/db/migrate.ts'

const tables = ['ats_connections', 'chat_integrations', 'webhook_endpoints', 'audit_witnesses', 'time_authorities']

/** How often settings were set, so that of two people who change them the second is told. */
export const settingsVersions: Migration = {
  name: '1090-settings-versions',
  async up(h) {
    for (const table of tables) await h.sql(`ALTER TABLE ${table} ADD COLUMN version bigint NOT NULL DEFAULT 1`)
    await h.sql('ALTER TABLE session_policies ADD COLUMN name_version bigint NOT NULL DEFAULT 1')
  },
  async down(h) {
    await h.sql('ALTER TABLE session_policies DROP COLUMN name_version')
    for (const table of tables) await h.sql(`ALTER TABLE ${table} DROP COLUMN version`)
  },
}
