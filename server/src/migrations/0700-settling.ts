import type { Migration } from '../platform/db/migrate.ts'

/** What was told last, so that a state is published once it has settled. What there is has been told. */
export const settling: Migration = {
  name: '0700-settling',
  async up(h) {
    await h.sql('ALTER TABLE lane_health ADD COLUMN told_health text')
    await h.sql('ALTER TABLE lane_health ADD COLUMN changed_at bigint')
    await h.sql('UPDATE lane_health SET told_health = health, changed_at = since')
    await h.sql('ALTER TABLE companions ADD COLUMN untold text')
  },
  async down(h) {
    await h.sql('ALTER TABLE companions DROP COLUMN untold')
    await h.sql('ALTER TABLE lane_health DROP COLUMN changed_at')
    await h.sql('ALTER TABLE lane_health DROP COLUMN told_health')
  },
}
