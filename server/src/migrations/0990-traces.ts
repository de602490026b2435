import type { Migration } from '../platform/db/migrate.ts'

const tables = ['jobs', 'webhook_deliveries'] as const

/** Where what asked for a job or a delivery stood in a trace (W3C Trace Context). Null where traces are off. */
export const traces: Migration = {
  name: '0990-traces',
  async up(h) {
    for (const table of tables) await h.sql(`ALTER TABLE ${table} ADD COLUMN traceparent text`)
  },
  async down(h) {
    for (const table of tables) await h.sql(`ALTER TABLE ${table} DROP COLUMN traceparent`)
  },
}
