import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const appointmentsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('environment').notNullable()
  t.integer('sequence').notNullable()
  t.bigInteger('changed_at').notNullable()
  t.bigInteger('cancelled_at')
  t.text('cancelled_schedule')
  t.primary(['org_id', 'session_id'])
  t.foreign(['org_id', 'session_id'], 'appointments_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
}

const invitationsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('invitation_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('email').notNullable()
  t.text('name')
  t.text('locale').notNullable()
  t.text('message')
  t.text('invited_kind').notNullable()
  t.text('invited_id').notNullable()
  t.text('invited_label')
  t.text('link_id')
  t.text('mail_kind')
  t.text('mail_job')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('sent_at')
  t.bigInteger('opened_at')
  t.bigInteger('ticket_at')
  t.bigInteger('declined_at')
  t.bigInteger('revoked_at')
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('contact_since')
  t.integer('contact_count').notNullable()
  t.primary(['org_id', 'invitation_id'])
  t.foreign(['org_id', 'session_id'], 'invitations_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.index(['org_id', 'session_id', 'created_at'], 'invitations_session')
}

/**
 * What iCalendar needs to know of a session's appointment beyond its time (a row from the first change on), and who was
 * invited. `mail_kind` and `mail_job` are of the newest message, `sent_at` is when the mail server took that one.
 */
export const invitations: Migration = {
  name: '0190-invitations',
  async up(h) {
    await h.createTable('appointments', appointmentsTable)
    await h.createTable('invitations', invitationsTable)
  },
  down: (h) => dropTables(h, 'invitations', 'appointments'),
}
