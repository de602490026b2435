import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const factorsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('factor_id').notNullable()
  t.text('user_id').notNullable()
  t.text('kind').notNullable()
  t.text('label')
  t.text('sealed_secret')
  t.bigInteger('last_step')
  t.text('credential_id')
  t.text('public_key')
  t.text('transports')
  t.bigInteger('counter').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('last_used_at')
  t.primary(['factor_id'])
  t.unique(['credential_id'], { indexName: 'second_factors_credential' })
  t.foreign(['user_id'], 'second_factors_user_id_fkey').references(['user_id']).inTable('users')
  t.index(['user_id', 'created_at'], 'second_factors_user')
}

const setupsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('user_id').notNullable()
  t.text('kind').notNullable()
  t.text('factor_id').notNullable()
  t.text('sealed').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['factor_id'])
  t.unique(['user_id', 'kind'], { indexName: 'factor_setups_user_kind' })
  t.foreign(['user_id'], 'factor_setups_user_id_fkey').references(['user_id']).inTable('users')
  t.index(['expires_at'], 'factor_setups_expiry')
}

const codesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('user_id').notNullable()
  t.text('code_hash').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('used_at')
  t.primary(['user_id', 'code_hash'])
  t.foreign(['user_id'], 'recovery_codes_user_id_fkey').references(['user_id']).inTable('users')
}

const stepsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('token_hash').notNullable()
  t.text('user_id').notNullable()
  t.text('place').notNullable()
  t.text('passkey_challenge').notNullable()
  t.integer('tries').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['token_hash'])
  t.foreign(['user_id'], 'second_steps_user_id_fkey').references(['user_id']).inTable('users')
  t.index(['user_id'], 'second_steps_user')
  t.index(['expires_at'], 'second_steps_expiry')
}

const columns = [
  ['users', 'second_factor', 'integer NOT NULL DEFAULT 0'],
  ['orgs', 'second_factor_required', 'integer NOT NULL DEFAULT 0'],
  ['portal_sessions', 'address', 'text'],
  ['portal_sessions', 'user_agent', 'text'],
  ['portal_sessions', 'last_used_at', 'bigint NOT NULL DEFAULT 0'],
  ['portal_sessions', 'expires_at', 'bigint NOT NULL DEFAULT 0'],
] as const

/** Second factors, their recovery codes, second steps of sign-ins; where and until when somebody is signed in. */
export const secondFactors: Migration = {
  name: '0331-second-factors',
  async up(h) {
    await h.createTable('second_factors', factorsTable)
    await h.createTable('factor_setups', setupsTable)
    await h.createTable('recovery_codes', codesTable)
    await h.createTable('second_steps', stepsTable)
    for (const [table, name, type] of columns) await h.sql(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`)
    await h.sql(`UPDATE portal_sessions SET
      last_used_at = COALESCE((SELECT max(t.created_at) FROM portal_tokens t
        WHERE t.portal_session_id = portal_sessions.portal_session_id), created_at),
      expires_at = COALESCE((SELECT max(t.expires_at) FROM portal_tokens t
        WHERE t.portal_session_id = portal_sessions.portal_session_id), created_at)`)
  },
  async down(h) {
    for (const [table, name] of columns.toReversed()) await h.sql(`ALTER TABLE ${table} DROP COLUMN ${name}`)
    await dropTables(h, 'second_steps', 'recovery_codes', 'factor_setups', 'second_factors')
  },
}
