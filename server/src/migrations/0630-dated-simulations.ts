import type { Migration } from '../platform/db/migrate.ts'

/** When the interview of a simulation began by its own dates; null where it is dated as it is played. */
export const datedSimulations: Migration = {
  name: '0630-dated-simulations',
  async up(h) {
    await h.sql('ALTER TABLE simulations ADD COLUMN dated_from bigint')
  },
  async down(h) {
    await h.sql('ALTER TABLE simulations DROP COLUMN dated_from')
  },
}
