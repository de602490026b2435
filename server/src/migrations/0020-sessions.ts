import type { Migration } from '../platform/db/migrate.ts'
import { clustered, dropTables } from './tables.ts'

/** Sessions, the credentials bound to one, and single-use join codes. */
export const sessions: Migration = {
  name: '0020-sessions',
  async up(h) {
    await h.sql(`CREATE TABLE sessions (
      org_id text NOT NULL REFERENCES orgs (org_id), session_id text NOT NULL, environment text NOT NULL,
      position bigint NOT NULL, external_id text, candidate_label text, state text NOT NULL,
      config text NOT NULL, policy_version integer NOT NULL, policy_id text, consent text NOT NULL,
      transcript_seq bigint NOT NULL DEFAULT 0,
      legal_hold integer NOT NULL DEFAULT 0, meeting text, schedule text,
      provisioned_kind text NOT NULL, provisioned_id text NOT NULL, provisioned_label text,
      lanes_off text NOT NULL DEFAULT '{}', device text, permissions text NOT NULL, capabilities text NOT NULL,
      registered_at bigint, created_at bigint NOT NULL, started_at bigint,
      ended_at bigint, end_reason text, erased_at bigint, PRIMARY KEY (org_id, session_id))`)
    await h.sql('CREATE UNIQUE INDEX sessions_position ON sessions (org_id, environment, position)')
    await h.sql('CREATE INDEX sessions_state ON sessions (org_id, environment, state, position)')
    await h.sql('CREATE INDEX sessions_provisioned ON sessions (org_id, environment, provisioned_id, position)')
    await h.sql('CREATE INDEX sessions_created ON sessions (org_id, environment, created_at)')
    // What changes with every upload, apart from the wide row that does not.
    await clustered(
      h,
      `CREATE TABLE session_counters (
      org_id text NOT NULL, session_id text NOT NULL, event_count bigint NOT NULL DEFAULT 0, last_contact_at bigint,
      PRIMARY KEY (org_id, session_id))`,
    )
    await h.sql(`CREATE TABLE session_credentials (
      org_id text NOT NULL, credential_id text NOT NULL, session_id text NOT NULL, kind text NOT NULL,
      token_hash text NOT NULL UNIQUE, label text, created_at bigint NOT NULL, revoked_at bigint,
      PRIMARY KEY (org_id, credential_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await h.sql('CREATE INDEX session_credentials_session ON session_credentials (org_id, session_id, kind)')
    await h.sql(`CREATE TABLE join_tickets (
      org_id text NOT NULL, ticket_id text NOT NULL, session_id text NOT NULL, role text NOT NULL,
      code_hash text NOT NULL UNIQUE, created_at bigint NOT NULL, expires_at bigint NOT NULL, used_at bigint,
      PRIMARY KEY (org_id, ticket_id),
      FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, session_id))`)
    await clustered(
      h,
      `CREATE TABLE consents (
      org_id text NOT NULL, session_id text NOT NULL, consent_id text NOT NULL, kind text NOT NULL,
      version text NOT NULL, locale text NOT NULL, document_hash text NOT NULL, document text NOT NULL,
      lanes text NOT NULL, accepted_at bigint NOT NULL, recorded_at bigint NOT NULL, credential_id text NOT NULL,
      PRIMARY KEY (org_id, session_id, consent_id))`,
    )
  },
  down: (h) => dropTables(h, 'consents', 'join_tickets', 'session_credentials', 'session_counters', 'sessions'),
}
