import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/**
 * The newest requests of each API key and of the provisioning token, and when each was used last; the secret that still signs
 * beside a new one, and until when; deliveries of examples.
 */
export const recentRequests: Migration = {
  name: '0950-recent-requests',
  async up(h) {
    await h.createTable(
      'recent_requests',
      (t) => {
        t.text('org_id').notNullable()
        t.text('credential_id').notNullable()
        t.bigInteger('at').notNullable()
        t.text('request_id').notNullable()
        t.text('method').notNullable()
        t.text('path').notNullable()
        t.bigInteger('status').notNullable()
        t.bigInteger('duration_ms').notNullable()
        t.text('error_code')
        t.text('reason')
        t.primary(['org_id', 'credential_id', 'at', 'request_id'])
        t.index(['at'], 'recent_requests_over')
      },
      { clustered: true },
    )
    await h.createTable(
      'credential_uses',
      (t) => {
        t.text('org_id').notNullable()
        t.text('credential_id').notNullable()
        t.bigInteger('used_at').notNullable()
        t.primary(['org_id', 'credential_id'])
      },
      { clustered: true },
    )
    await h.sql('ALTER TABLE webhook_endpoints ADD COLUMN previous_secret text')
    await h.sql('ALTER TABLE webhook_endpoints ADD COLUMN previous_until bigint')
    await h.sql('ALTER TABLE webhook_deliveries ADD COLUMN is_example bigint')
  },
  async down(h) {
    await h.sql('ALTER TABLE webhook_deliveries DROP COLUMN is_example')
    await h.sql('ALTER TABLE webhook_endpoints DROP COLUMN previous_until')
    await h.sql('ALTER TABLE webhook_endpoints DROP COLUMN previous_secret')
    await dropTables(h, 'credential_uses', 'recent_requests')
  },
}
