import type { Migration } from '../platform/db/migrate.ts'

/** Which organisation vouched for a sign-in; and for one that waits for its second step, also what it will be called. */
export const vouchedSignIns: Migration = {
  name: '0405-vouched-sign-ins',
  async up(h) {
    await h.schema((s) => s.alterTable('portal_sessions', (t) => void t.text('vouched_by')))
    await h.schema((s) => s.alterTable('second_steps', (t) => void t.text('vouched_by')))
    await h.schema((s) => s.alterTable('second_steps', (t) => void t.text('portal_session_id')))
    await h.sql(
      'CREATE INDEX second_steps_sign_in ON second_steps (portal_session_id) WHERE portal_session_id IS NOT NULL',
    )
  },
  async down(h) {
    await h.sql('DROP INDEX second_steps_sign_in')
    await h.sql('ALTER TABLE second_steps DROP COLUMN portal_session_id')
    await h.sql('ALTER TABLE second_steps DROP COLUMN vouched_by')
    await h.sql('ALTER TABLE portal_sessions DROP COLUMN vouched_by')
  },
}
