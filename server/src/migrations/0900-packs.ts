import type { Migration } from '../platform/db/migrate.ts'

/**
 * Objects that share a stored file. `store_key` then names a stretch of it, and so do the places of what is sealed beside an
 * object: its small picture and the levels of its sound.
 */
export const packs: Migration = {
  name: '0900-packs',
  async up(h) {
    for (const column of ['pack_id', 'small_place', 'levels_place'])
      await h.sql(`ALTER TABLE objects ADD COLUMN ${column} text`)
    await h.sql('CREATE INDEX objects_pack ON objects (org_id, pack_id) WHERE pack_id IS NOT NULL')
  },
  async down(h) {
    await h.sql('DROP INDEX objects_pack')
    for (const column of ['levels_place', 'small_place', 'pack_id'])
      await h.sql(`ALTER TABLE objects DROP COLUMN ${column}`)
  },
}
