import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** Answers of writes that carried an Idempotency-Key, kept for 24 hours. */
export const idempotency: Migration = {
  name: '0090-idempotency',
  async up(h) {
    await clustered(
      h,
      `CREATE TABLE idempotency_keys (
      org_id text NOT NULL, credential text NOT NULL, endpoint text NOT NULL, key text NOT NULL,
      body_hash text NOT NULL, status integer NOT NULL, answer text NOT NULL, created_at bigint NOT NULL,
      expires_at bigint NOT NULL, PRIMARY KEY (org_id, credential, endpoint, key))`,
    )
    await h.sql('CREATE INDEX idempotency_expiry ON idempotency_keys (expires_at)')
  },
  down: (h) => dropTables(h, 'idempotency_keys'),
}
