import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/**
 * Stored objects (their age header is the key to them: deleting it shreds the object), evidence rows that refer to
 * them, kept counts, and uploads in flight.
 */
export const evidence: Migration = {
  name: '0050-evidence',
  async up(h) {
    await h.sql(`CREATE TABLE objects (
      org_id text NOT NULL, object_id text NOT NULL, provider text NOT NULL, store_key text NOT NULL, header text,
      size_bytes bigint NOT NULL, sha256 text NOT NULL, refs integer NOT NULL, created_at bigint NOT NULL,
      erased_at bigint, PRIMARY KEY (org_id, object_id))`)
    await h.sql(`CREATE TABLE evidence (
      org_id text NOT NULL, evidence_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      evidence_type text NOT NULL, position bigint NOT NULL, type_position bigint NOT NULL, client_id text NOT NULL,
      object_id text NOT NULL, size_bytes bigint NOT NULL, sha256 text NOT NULL, content_type text NOT NULL,
      captured_at bigint NOT NULL, duration_ms bigint, metadata text NOT NULL, created_at bigint NOT NULL,
      erased_at bigint, PRIMARY KEY (org_id, evidence_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id),
      FOREIGN KEY (org_id, object_id) REFERENCES objects (org_id, object_id))`)
    await h.sql('CREATE UNIQUE INDEX evidence_position ON evidence (org_id, session_id, position)')
    await h.sql(
      'CREATE UNIQUE INDEX evidence_type_position ON evidence (org_id, session_id, evidence_type, type_position)',
    )
    await h.sql('CREATE UNIQUE INDEX evidence_client ON evidence (org_id, session_id, evidence_type, client_id)')
    await h.sql('CREATE INDEX evidence_bytes ON evidence (org_id, session_id, evidence_type, sha256)')
    await h.sql('CREATE INDEX evidence_captured ON evidence (org_id, session_id, evidence_type, captured_at)')
    await clustered(
      h,
      `CREATE TABLE evidence_counts (
      org_id text NOT NULL, session_id text NOT NULL, evidence_type text NOT NULL, objects bigint NOT NULL,
      size_bytes bigint NOT NULL, erased_objects bigint NOT NULL, PRIMARY KEY (org_id, session_id, evidence_type))`,
    )
    await h.sql(`CREATE TABLE uploads (
      org_id text NOT NULL, upload_id text NOT NULL, environment text NOT NULL, session_id text NOT NULL,
      client_id text NOT NULL, evidence_type text NOT NULL, size_bytes bigint NOT NULL, sha256 text NOT NULL,
      content_type text NOT NULL, captured_at bigint NOT NULL, duration_ms bigint, metadata text NOT NULL,
      part_size bigint NOT NULL, part_count integer NOT NULL, state text NOT NULL, store_key text NOT NULL,
      header text, nonce text, evidence_id text, created_at bigint NOT NULL, expires_at bigint NOT NULL,
      PRIMARY KEY (org_id, upload_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE INDEX uploads_client ON uploads (org_id, session_id, evidence_type, client_id)')
    await h.sql('CREATE INDEX uploads_open ON uploads (state, expires_at)')
    await clustered(
      h,
      `CREATE TABLE upload_parts (
      org_id text NOT NULL, upload_id text NOT NULL, part_index integer NOT NULL, sha256 text NOT NULL,
      size_bytes bigint NOT NULL, created_at bigint NOT NULL, PRIMARY KEY (org_id, upload_id, part_index))`,
    )
  },
  down: (h) => dropTables(h, 'upload_parts', 'uploads', 'evidence_counts', 'evidence', 'objects'),
}
