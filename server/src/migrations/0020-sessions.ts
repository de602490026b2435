import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const sessionCountersTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.bigInteger('event_count').notNullable().defaultTo(0)
  t.bigInteger('last_contact_at')
  t.primary(['org_id', 'session_id'])
}

const consentsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('consent_id').notNullable()
  t.text('kind').notNullable()
  t.text('version').notNullable()
  t.text('locale').notNullable()
  t.text('document_hash').notNullable()
  t.text('document').notNullable()
  t.text('lanes').notNullable()
  t.bigInteger('accepted_at').notNullable()
  t.bigInteger('recorded_at').notNullable()
  t.text('credential_id').notNullable()
  t.primary(['org_id', 'session_id', 'consent_id'])
}

const sessionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('environment').notNullable()
  t.bigInteger('position').notNullable()
  t.text('external_id')
  t.text('candidate_label')
  t.text('state').notNullable()
  t.text('config').notNullable()
  t.integer('policy_version').notNullable()
  t.text('policy_id')
  t.text('consent').notNullable()
  t.bigInteger('transcript_seq').notNullable().defaultTo(0)
  t.integer('legal_hold').notNullable().defaultTo(0)
  t.text('meeting')
  t.text('schedule')
  t.text('provisioned_kind').notNullable()
  t.text('provisioned_id').notNullable()
  t.text('provisioned_label')
  t.text('lanes_off').notNullable().defaultTo('{}')
  t.text('device')
  t.text('permissions').notNullable()
  t.text('capabilities').notNullable()
  t.bigInteger('registered_at')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('started_at')
  t.bigInteger('ended_at')
  t.text('end_reason')
  t.bigInteger('erased_at')
  t.foreign(['org_id'], 'sessions_org_id_fkey').references(['org_id']).inTable('orgs')
  t.primary(['org_id', 'session_id'])
  t.unique(['org_id', 'environment', 'position'], { indexName: 'sessions_position', useConstraint: false })
  t.index(['org_id', 'environment', 'state', 'position'], 'sessions_state')
  t.index(['org_id', 'environment', 'provisioned_id', 'position'], 'sessions_provisioned')
  t.index(['org_id', 'environment', 'created_at'], 'sessions_created')
}

const sessionCredentialsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('credential_id').notNullable()
  t.text('session_id').notNullable()
  t.text('kind').notNullable()
  t.text('token_hash').notNullable()
  t.text('label')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('revoked_at')
  t.unique(['token_hash'], { indexName: 'session_credentials_token_hash_key' })
  t.primary(['org_id', 'credential_id'])
  t.foreign(['org_id', 'session_id'], 'session_credentials_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.index(['org_id', 'session_id', 'kind'], 'session_credentials_session')
}

const joinTicketsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('ticket_id').notNullable()
  t.text('session_id').notNullable()
  t.text('role').notNullable()
  t.text('code_hash').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('used_at')
  t.unique(['code_hash'], { indexName: 'join_tickets_code_hash_key' })
  t.primary(['org_id', 'ticket_id'])
  t.foreign(['org_id', 'session_id'], 'join_tickets_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
}

/** Sessions, the credentials bound to one, and single-use join codes. */
export const sessions: Migration = {
  name: '0020-sessions',
  async up(h) {
    await h.createTable('sessions', sessionsTable)
    // What changes with every upload, apart from the wide row that does not.
    await h.createTable('session_counters', sessionCountersTable, { clustered: true })
    await h.createTable('session_credentials', sessionCredentialsTable)
    await h.createTable('join_tickets', joinTicketsTable)
    await h.createTable('consents', consentsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'consents', 'join_tickets', 'session_credentials', 'session_counters', 'sessions'),
}
