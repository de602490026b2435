import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const requestsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('request_id').notNullable()
  t.text('organisation').notNullable()
  t.text('name').notNullable()
  t.text('email').notNullable()
  t.text('country').notNullable()
  t.integer('sessions_per_month')
  t.text('message')
  t.text('locale').notNullable()
  t.text('status').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('decided_at')
  t.text('decided_by')
  t.text('decline_message')
  t.bigInteger('opened_at')
  t.bigInteger('accepted_at')
  t.text('org_id')
  t.primary(['request_id'])
  t.foreign(['org_id'], 'access_requests_org_id_fkey').references(['org_id']).inTable('orgs')
  t.index(['created_at', 'request_id'], 'access_requests_listed')
  t.index(['status', 'created_at', 'request_id'], 'access_requests_by_status')
}

const invitesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('invite_id').notNullable()
  t.text('request_id').notNullable()
  t.text('token_hash').notNullable()
  t.text('origin').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('ended_at')
  t.primary(['invite_id'])
  t.unique(['token_hash'], { indexName: 'owner_invites_token_hash_key' })
  t.foreign(['request_id'], 'owner_invites_request_id_fkey').references(['request_id']).inTable('access_requests')
  t.index(['request_id', 'created_at'], 'owner_invites_request')
}

const attemptsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('name_hash').notNullable()
  t.bigInteger('ends_at').notNullable()
  t.integer('attempts').notNullable()
  t.primary(['name_hash'])
  t.index(['ends_at'], 'access_attempts_end')
}

const logTable = (t: Knex.CreateTableBuilder): void => {
  t.text('request_id').notNullable()
  t.text('entry_id').notNullable()
  t.bigInteger('at').notNullable()
  t.text('actor_kind').notNullable()
  t.text('actor_id').notNullable()
  t.text('action').notNullable()
  t.primary(['request_id', 'entry_id'])
}

/** Requests for an organisation, the links to its first owner, and who did what: there is no audit chain before there is an organisation. */
export const accessRequests: Migration = {
  name: '0320-access-requests',
  async up(h) {
    await h.createTable('access_requests', requestsTable)
    await h.sql("CREATE UNIQUE INDEX access_requests_pending ON access_requests (email) WHERE status = 'pending'")
    await h.createTable('owner_invites', invitesTable)
    // No two links of one request work at the same time.
    await h.sql('CREATE UNIQUE INDEX owner_invites_working ON owner_invites (request_id) WHERE ended_at IS NULL')
    await h.createTable('access_attempts', attemptsTable)
    await h.createTable('access_request_log', logTable)
    await h.immutable('access_request_log')
  },
  down: (h) => dropTables(h, 'access_request_log', 'access_attempts', 'owner_invites', 'access_requests'),
}
