import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Sign-ins of portal users with their rotating tokens, attempts to sign in, and who made a key and when it changed. */
export const portalLogin: Migration = {
  name: '0110-portal-login',
  async up(h) {
    await h.sql(`CREATE TABLE portal_sessions (
      portal_session_id text NOT NULL PRIMARY KEY, user_id text NOT NULL REFERENCES users (user_id),
      created_at bigint NOT NULL, ended_at bigint, end_reason text)`)
    await h.sql('CREATE INDEX portal_sessions_user ON portal_sessions (user_id)')
    await h.sql(`CREATE TABLE portal_tokens (
      token_hash text NOT NULL PRIMARY KEY,
      portal_session_id text NOT NULL REFERENCES portal_sessions (portal_session_id), kind text NOT NULL,
      created_at bigint NOT NULL, expires_at bigint NOT NULL, used_at bigint)`)
    await h.sql('CREATE INDEX portal_tokens_session ON portal_tokens (portal_session_id)')
    await h.sql('CREATE INDEX portal_tokens_expiry ON portal_tokens (expires_at)')
    await h.sql(`CREATE TABLE login_attempts (
      account_hash text NOT NULL PRIMARY KEY, window_started_at bigint NOT NULL, attempts integer NOT NULL)`)
    await h.sql('CREATE INDEX login_attempts_window ON login_attempts (window_started_at)')
    // Whose cookie it is comes first, and then which of their organisations the path is about.
    await h.sql('CREATE INDEX memberships_user ON memberships (user_id)')
    await h.sql('ALTER TABLE api_keys ADD COLUMN created_by text')
    await h.sql('ALTER TABLE api_keys ADD COLUMN rotated_at bigint')
  },
  async down(h) {
    await h.sql('ALTER TABLE api_keys DROP COLUMN rotated_at')
    await h.sql('ALTER TABLE api_keys DROP COLUMN created_by')
    await h.sql('DROP INDEX memberships_user')
    await dropTables(h, 'login_attempts', 'portal_tokens', 'portal_sessions')
  },
}
