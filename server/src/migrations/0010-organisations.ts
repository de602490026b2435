import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Organisations with their evidence key, people, memberships and API keys. */
export const organisations: Migration = {
  name: '0010-organisations',
  async up(h) {
    await h.sql(`CREATE TABLE orgs (
      org_id text NOT NULL PRIMARY KEY, name text NOT NULL, slug text NOT NULL UNIQUE,
      recipient text NOT NULL, wrapped_identity text NOT NULL, created_at bigint NOT NULL)`)
    // One row for each organisation that its writers lock: the heads of its audit chain and event sequences.
    await h.sql(`CREATE TABLE org_heads (
      org_id text NOT NULL PRIMARY KEY REFERENCES orgs (org_id),
      audit_seq bigint NOT NULL DEFAULT 0, audit_hash text NOT NULL DEFAULT '',
      event_seq_live bigint NOT NULL DEFAULT 0, event_seq_sandbox bigint NOT NULL DEFAULT 0,
      sessions_live bigint NOT NULL DEFAULT 0, sessions_sandbox bigint NOT NULL DEFAULT 0)`)
    await h.sql(`CREATE TABLE users (
      user_id text NOT NULL PRIMARY KEY, email text NOT NULL UNIQUE, name text, password_hash text,
      created_at bigint NOT NULL)`)
    await h.sql(`CREATE TABLE memberships (
      org_id text NOT NULL REFERENCES orgs (org_id), membership_id text NOT NULL,
      user_id text NOT NULL REFERENCES users (user_id), role text NOT NULL, active integer NOT NULL DEFAULT 1,
      created_at bigint NOT NULL, PRIMARY KEY (org_id, membership_id), UNIQUE (org_id, user_id))`)
    await h.sql(`CREATE TABLE api_keys (
      org_id text NOT NULL REFERENCES orgs (org_id), key_id text NOT NULL, label text NOT NULL,
      environment text NOT NULL, scopes text NOT NULL, prefix text NOT NULL, token_hash text NOT NULL UNIQUE,
      created_at bigint NOT NULL, revoked_at bigint, PRIMARY KEY (org_id, key_id))`)
  },
  down: (h) => dropTables(h, 'api_keys', 'memberships', 'users', 'org_heads', 'orgs'),
}
