import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const orgsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('name').notNullable()
  t.text('slug').notNullable()
  t.text('recipient').notNullable()
  t.text('wrapped_identity').notNullable()
  t.bigInteger('created_at').notNullable()
  t.primary(['org_id'])
  t.unique(['slug'], { indexName: 'orgs_slug_key' })
}

const orgHeadsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.bigInteger('audit_seq').notNullable().defaultTo(0)
  t.text('audit_hash').notNullable().defaultTo('')
  t.bigInteger('event_seq_live').notNullable().defaultTo(0)
  t.bigInteger('event_seq_sandbox').notNullable().defaultTo(0)
  t.bigInteger('sessions_live').notNullable().defaultTo(0)
  t.bigInteger('sessions_sandbox').notNullable().defaultTo(0)
  t.primary(['org_id'])
  t.foreign(['org_id'], 'org_heads_org_id_fkey').references(['org_id']).inTable('orgs')
}

const usersTable = (t: Knex.CreateTableBuilder): void => {
  t.text('user_id').notNullable()
  t.text('email').notNullable()
  t.text('name')
  t.text('password_hash')
  t.bigInteger('created_at').notNullable()
  t.primary(['user_id'])
  t.unique(['email'], { indexName: 'users_email_key' })
}

const membershipsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('membership_id').notNullable()
  t.text('user_id').notNullable()
  t.text('role').notNullable()
  t.integer('active').notNullable().defaultTo(1)
  t.bigInteger('created_at').notNullable()
  t.foreign(['org_id'], 'memberships_org_id_fkey').references(['org_id']).inTable('orgs')
  t.foreign(['user_id'], 'memberships_user_id_fkey').references(['user_id']).inTable('users')
  t.primary(['org_id', 'membership_id'])
  t.unique(['org_id', 'user_id'], { indexName: 'memberships_org_id_user_id_key' })
}

const apiKeysTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('key_id').notNullable()
  t.text('label').notNullable()
  t.text('environment').notNullable()
  t.text('scopes').notNullable()
  t.text('prefix').notNullable()
  t.text('token_hash').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('revoked_at')
  t.foreign(['org_id'], 'api_keys_org_id_fkey').references(['org_id']).inTable('orgs')
  t.unique(['token_hash'], { indexName: 'api_keys_token_hash_key' })
  t.primary(['org_id', 'key_id'])
}

/** Organisations with their evidence key, people, memberships and API keys. */
export const organisations: Migration = {
  name: '0010-organisations',
  async up(h) {
    await h.createTable('orgs', orgsTable)
    // One row for each organisation that its writers lock: the heads of its audit chain and event sequences.
    await h.createTable('org_heads', orgHeadsTable)
    await h.createTable('users', usersTable)
    await h.createTable('memberships', membershipsTable)
    await h.createTable('api_keys', apiKeysTable)
  },
  down: (h) => dropTables(h, 'api_keys', 'memberships', 'users', 'org_heads', 'orgs'),
}
