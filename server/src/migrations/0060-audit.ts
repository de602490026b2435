import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** The hash chain of each organisation, the personal payloads beside it, and signed checkpoints of its head. */
export const audit: Migration = {
  name: '0060-audit',
  async up(h) {
    await clustered(
      h,
      `CREATE TABLE audit_log (
      org_id text NOT NULL, seq bigint NOT NULL, at bigint NOT NULL, actor_kind text NOT NULL, actor_id text NOT NULL,
      action text NOT NULL, target text NOT NULL, session_id text, payload_hash text, prev_hash text NOT NULL,
      hash text NOT NULL, PRIMARY KEY (org_id, seq))`,
    )
    // Received batches are most of the rows and nobody asks for them by session; their index would cost every batch.
    await h.sql(`CREATE INDEX audit_log_session ON audit_log (org_id, session_id, seq)
      WHERE action <> 'session.events_received'`)
    await h.immutable('audit_log')
    await clustered(
      h,
      `CREATE TABLE audit_payloads (
      org_id text NOT NULL, seq bigint NOT NULL, salt text NOT NULL, payload text NOT NULL, PRIMARY KEY (org_id, seq))`,
    )
    await clustered(
      h,
      `CREATE TABLE audit_checkpoints (
      org_id text NOT NULL, size bigint NOT NULL, note text NOT NULL, at bigint NOT NULL, PRIMARY KEY (org_id, size))`,
    )
  },
  down: (h) => dropTables(h, 'audit_checkpoints', 'audit_payloads', 'audit_log'),
}
