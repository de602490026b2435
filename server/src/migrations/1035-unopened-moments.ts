import type { Migration } from '../platform/db/migrate.ts'

/** Places of moments that nobody has played yet: milliseconds since the session started, as JSON. Null until they are counted. */
export const unopenedMoments: Migration = {
  name: '1035-unopened-moments',
  async up(h) {
    await h.sql('ALTER TABLE reviews ADD COLUMN unopened_moments text')
  },
  async down(h) {
    await h.sql('ALTER TABLE reviews DROP COLUMN unopened_moments')
  },
}
