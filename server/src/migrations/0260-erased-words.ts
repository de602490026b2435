import type { Migration } from '../platform/db/migrate.ts'

/** What an erasure must find: the answers that are about a session, and the deliveries of its events. */
export const erasedWords: Migration = {
  name: '0260-erased-words',
  async up(h) {
    await h.schema((s) => s.alterTable('idempotency_keys', (t) => void t.text('session_id')))
    await h.sql(
      'CREATE INDEX idempotency_session ON idempotency_keys (org_id, session_id) WHERE session_id IS NOT NULL',
    )
    await h.sql('CREATE INDEX webhook_deliveries_event ON webhook_deliveries (org_id, environment, event_seq)')
  },
  async down(h) {
    await h.sql('DROP INDEX webhook_deliveries_event')
    await h.sql('DROP INDEX idempotency_session')
    await h.sql('ALTER TABLE idempotency_keys DROP COLUMN session_id')
  },
}
