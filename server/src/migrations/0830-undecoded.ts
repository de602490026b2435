import type { Migration } from '../platform/db/migrate.ts'

/** What a film could not show or let be heard, as JSON. Null for films of before, which did not keep it. */
export const undecoded: Migration = {
  name: '0830-undecoded',
  async up(h) {
    await h.sql('ALTER TABLE compositions ADD COLUMN undecoded text')
  },
  async down(h) {
    await h.sql('ALTER TABLE compositions DROP COLUMN undecoded')
  },
}
