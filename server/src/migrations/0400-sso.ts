import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const connections = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('kind').notNullable()
  t.text('settings').notNullable()
  t.text('wrapped_secrets')
  t.text('default_role').notNullable()
  t.text('role_mapping').notNullable()
  t.integer('required').notNullable()
  t.bigInteger('updated_at').notNullable()
  t.text('test')
  t.primary(['org_id'])
  t.foreign(['org_id'], 'sso_connections_org_id_fkey').references(['org_id']).inTable('orgs')
}

const domains = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('domain').notNullable()
  t.text('proof').notNullable()
  t.bigInteger('created_at').notNullable()
  t.primary(['org_id', 'domain'])
  t.foreign(['org_id'], 'sso_domains_org_id_fkey').references(['org_id']).inTable('orgs')
}

/** Each has one organisation. */
const verifiedDomains = (t: Knex.CreateTableBuilder): void => {
  t.text('domain').notNullable()
  t.text('org_id').notNullable()
  t.bigInteger('verified_at').notNullable()
  t.primary(['domain'])
  t.foreign(['org_id', 'domain'], 'sso_verified_domains_fkey').references(['org_id', 'domain']).inTable('sso_domains')
}

/** Sign-ins that began here and are at the identity provider; found by the hash of their RelayState. */
const requests = (t: Knex.CreateTableBuilder): void => {
  t.text('state_hash').notNullable()
  t.text('org_id').notNullable()
  t.text('request_id').notNullable()
  t.text('return_to')
  t.bigInteger('expires_at').notNullable()
  t.primary(['org_id', 'state_hash'])
  t.foreign(['org_id'], 'sso_requests_org_id_fkey').references(['org_id']).inTable('orgs')
  t.index(['expires_at'], 'sso_requests_expiry')
}

const assertions = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('assertion_hash').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['org_id', 'assertion_hash'])
  t.index(['expires_at'], 'sso_assertions_expiry')
}

const identities = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('issuer').notNullable()
  t.text('subject').notNullable()
  t.text('user_id').notNullable()
  t.bigInteger('linked_at').notNullable()
  t.primary(['org_id', 'issuer', 'subject'])
  t.unique(['org_id', 'issuer', 'user_id'], { indexName: 'sso_identities_user' })
  t.foreign(['org_id'], 'sso_identities_org_id_fkey').references(['org_id']).inTable('orgs')
  t.foreign(['user_id'], 'sso_identities_user_id_fkey').references(['user_id']).inTable('users')
}

/** What a sign-out needs, of each sign-in by an assertion. */
const signIns = (t: Knex.CreateTableBuilder): void => {
  t.text('portal_session_id').notNullable()
  t.text('org_id').notNullable()
  t.text('name_id').notNullable()
  t.text('name_id_format')
  t.text('session_index')
  t.bigInteger('ends_at')
  t.bigInteger('forget_at').notNullable()
  t.primary(['org_id', 'portal_session_id'])
  t.foreign(['org_id'], 'sso_sign_ins_org_id_fkey').references(['org_id']).inTable('orgs')
  t.index(['org_id', 'name_id'], 'sso_sign_ins_name')
  t.index(['forget_at'], 'sso_sign_ins_forget')
}

export const sso: Migration = {
  name: '0400-sso',
  async up(h) {
    await h.createTable('sso_connections', connections)
    await h.createTable('sso_domains', domains)
    await h.createTable('sso_verified_domains', verifiedDomains)
    await h.createTable('sso_requests', requests)
    await h.createTable('sso_assertions', assertions)
    await h.createTable('sso_identities', identities)
    await h.createTable('sso_sign_ins', signIns)
    await h.sql('CREATE INDEX sso_sign_ins_end ON sso_sign_ins (ends_at) WHERE ends_at IS NOT NULL')
  },
  async down(h) {
    await dropTables(
      h,
      'sso_sign_ins',
      'sso_identities',
      'sso_assertions',
      'sso_requests',
      'sso_verified_domains',
      'sso_domains',
      'sso_connections',
    )
  },
}
