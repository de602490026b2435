import type { Migration } from '../platform/db/migrate.ts'

const tables = ['events', 'jobs', 'webhook_deliveries'] as const

/** The request that a row goes back to, for who looks for what became of it. Null where no request stands behind it. */
export const requestIds: Migration = {
  name: '0720-request-ids',
  async up(h) {
    for (const table of tables) await h.sql(`ALTER TABLE ${table} ADD COLUMN request_id text`)
  },
  async down(h) {
    for (const table of tables) await h.sql(`ALTER TABLE ${table} DROP COLUMN request_id`)
  },
}
