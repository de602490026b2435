import type { Migration } from '../platform/db/migrate.ts'

/**
 * The stored file that holds what the service itself made beside an object: its small picture, its levels. Also set where none
 * could be made, so that nobody tries again.
 */
export const madeBeside: Migration = {
  name: '0940-made-beside',
  async up(h) {
    await h.sql('ALTER TABLE objects ADD COLUMN beside_id text')
    await h.sql('CREATE INDEX objects_beside ON objects (org_id, beside_id) WHERE beside_id IS NOT NULL')
  },
  async down(h) {
    await h.sql('DROP INDEX objects_beside')
    await h.sql('ALTER TABLE objects DROP COLUMN beside_id')
  },
}
