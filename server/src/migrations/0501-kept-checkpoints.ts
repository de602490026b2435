import type { Migration } from '../platform/db/migrate.ts'

/** REPLACE deletes the row that stands in its way without asking the triggers that guard it, on SQLite. */
const noReplace = { audit_log: 'seq', audit_checkpoints: 'size' } as const

/** A checkpoint names the one before it, under a MAC, and stays as it was written. */
export const keptCheckpoints: Migration = {
  name: '0501-kept-checkpoints',
  async up(h) {
    await h.sql('ALTER TABLE audit_checkpoints ADD COLUMN previous bigint NOT NULL DEFAULT 0')
    await h.sql("ALTER TABLE audit_checkpoints ADD COLUMN mac text NOT NULL DEFAULT ''")
    await h.immutable('audit_checkpoints')
    if (h.engine !== 'sqlite') return
    for (const [table, place] of Object.entries(noReplace))
      await h.sql(`CREATE TRIGGER "${table}_no_replace" BEFORE INSERT ON "${table}"
        WHEN EXISTS (SELECT 1 FROM "${table}" WHERE org_id = NEW.org_id AND ${place} = NEW.${place})
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`)
  },
  async down(h) {
    if (h.engine === 'sqlite')
      for (const table of Object.keys(noReplace)) await h.sql(`DROP TRIGGER "${table}_no_replace"`)
    await h.mutable('audit_checkpoints')
    await h.sql('ALTER TABLE audit_checkpoints DROP COLUMN mac')
    await h.sql('ALTER TABLE audit_checkpoints DROP COLUMN previous')
  },
}
