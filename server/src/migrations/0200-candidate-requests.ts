import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const candidateRequestsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('request_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('kind').notNullable()
  t.text('status').notNullable()
  t.text('origin').notNullable()
  t.text('reply_to')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('acknowledged_at')
  t.text('acknowledged_by')
  t.bigInteger('decided_at')
  t.text('decided_by')
  t.bigInteger('access_copy_until')
  t.bigInteger('last_download_at')
  t.primary(['org_id', 'request_id'])
  t.foreign(['org_id', 'session_id'], 'candidate_requests_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.index(['org_id', 'session_id', 'created_at'], 'candidate_requests_session')
  t.index(['org_id', 'environment', 'created_at'], 'candidate_requests_listed')
}

const candidateRequestMessagesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('request_id').notNullable()
  t.integer('position').notNullable()
  t.text('message_id').notNullable()
  t.text('sender').notNullable()
  t.text('text').notNullable()
  t.bigInteger('created_at').notNullable()
  t.primary(['org_id', 'request_id', 'position'])
  t.foreign(['org_id', 'request_id'], 'candidate_request_messages_org_id_request_id_fkey')
    .references(['org_id', 'request_id'])
    .inTable('candidate_requests')
}

/** What candidates ask for after the interview, and what was written to each other about it. */
export const candidateRequests: Migration = {
  name: '0200-candidate-requests',
  async up(h) {
    await h.createTable('candidate_requests', candidateRequestsTable)
    // While one of a kind is open there is no second one.
    await h.sql(
      'CREATE UNIQUE INDEX candidate_requests_open ON candidate_requests (org_id, session_id, kind) WHERE decided_at IS NULL',
    )
    await h.createTable('candidate_request_messages', candidateRequestMessagesTable)
    // Who asks for a link by e-mail names a session and no organisation.
    await h.schema((s) => s.alterTable('sessions', (t) => void t.index(['session_id'], 'sessions_id')))
  },
  down: async (h) => {
    await h.schema((s) => s.alterTable('sessions', (t) => void t.dropIndex([], 'sessions_id')))
    await dropTables(h, 'candidate_request_messages', 'candidate_requests')
  },
}
