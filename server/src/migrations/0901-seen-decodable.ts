import type { Migration } from '../platform/db/migrate.ts'

/** Whether what was stored without being decoded could be, once somebody looked. Beside what the trail commits to. */
export const seenDecodable: Migration = {
  name: '0901-seen-decodable',
  async up(h) {
    await h.sql('ALTER TABLE evidence ADD COLUMN seen_decodable bigint')
  },
  async down(h) {
    await h.sql('ALTER TABLE evidence DROP COLUMN seen_decodable')
  },
}
