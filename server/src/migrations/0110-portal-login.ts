import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const portalSessionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('portal_session_id').notNullable()
  t.text('user_id').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('ended_at')
  t.text('end_reason')
  t.primary(['portal_session_id'])
  t.foreign(['user_id'], 'portal_sessions_user_id_fkey').references(['user_id']).inTable('users')
  t.index(['user_id'], 'portal_sessions_user')
}

const portalTokensTable = (t: Knex.CreateTableBuilder): void => {
  t.text('token_hash').notNullable()
  t.text('portal_session_id').notNullable()
  t.text('kind').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('used_at')
  t.primary(['token_hash'])
  t.foreign(['portal_session_id'], 'portal_tokens_portal_session_id_fkey')
    .references(['portal_session_id'])
    .inTable('portal_sessions')
  t.index(['portal_session_id'], 'portal_tokens_session')
  t.index(['expires_at'], 'portal_tokens_expiry')
}

const loginAttemptsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('account_hash').notNullable()
  t.bigInteger('window_started_at').notNullable()
  t.integer('attempts').notNullable()
  t.primary(['account_hash'])
  t.index(['window_started_at'], 'login_attempts_window')
}

/** Sign-ins of portal users with their rotating tokens, attempts to sign in, and who made a key and when it changed. */
export const portalLogin: Migration = {
  name: '0110-portal-login',
  async up(h) {
    await h.createTable('portal_sessions', portalSessionsTable)
    await h.createTable('portal_tokens', portalTokensTable)
    await h.createTable('login_attempts', loginAttemptsTable)
    // Whose cookie it is comes first, and then which of their organisations the path is about.
    await h.schema((s) => s.alterTable('memberships', (t) => void t.index(['user_id'], 'memberships_user')))
    await h.schema((s) => s.alterTable('api_keys', (t) => void t.text('created_by')))
    await h.schema((s) => s.alterTable('api_keys', (t) => void t.bigInteger('rotated_at')))
  },
  async down(h) {
    await h.sql('ALTER TABLE api_keys DROP COLUMN rotated_at')
    await h.sql('ALTER TABLE api_keys DROP COLUMN created_by')
    await h.schema((s) => s.alterTable('memberships', (t) => void t.dropIndex([], 'memberships_user')))
    await dropTables(h, 'login_attempts', 'portal_tokens', 'portal_sessions')
  },
}
