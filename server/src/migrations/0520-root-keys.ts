import type { Migration } from '../platform/db/migrate.ts'

/** The key under which everything lies, wrapped under the master key, so that the master key can be changed alone. */
export const rootKeys: Migration = {
  name: '0520-root-keys',
  async up(h) {
    await h.schema((s) =>
      s.alterTable('master_key_names', (t) => {
        t.text('root_id')
        t.text('wrapped_root')
      }),
    )
  },
  async down(h) {
    await h.sql('ALTER TABLE master_key_names DROP COLUMN wrapped_root')
    await h.sql('ALTER TABLE master_key_names DROP COLUMN root_id')
  },
}
