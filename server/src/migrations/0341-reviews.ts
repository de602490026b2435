import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Nobody has it: an empty `assignee_id`, so that one index finds those, too. */
const reviewsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('review_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('state').notNullable()
  t.text('readiness').notNullable()
  t.text('assignee_id').notNullable().defaultTo('')
  t.bigInteger('opened_at').notNullable()
  t.bigInteger('ended_at').notNullable()
  t.bigInteger('settles_at').notNullable()
  t.bigInteger('taken_at')
  t.bigInteger('completed_at')
  t.primary(['org_id', 'review_id'])
  t.foreign(['org_id', 'session_id'], 'reviews_session_fkey').references(['org_id', 'session_id']).inTable('sessions')
  t.unique(['org_id', 'session_id'], { indexName: 'reviews_session' })
  t.index(['org_id', 'environment', 'state', 'readiness', 'opened_at', 'review_id'], 'reviews_listed')
  t.index(['org_id', 'assignee_id', 'environment', 'state', 'readiness', 'opened_at', 'review_id'], 'reviews_assigned')
}

const countsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('assignee_id').notNullable()
  t.text('environment').notNullable()
  t.text('state').notNullable()
  t.text('readiness').notNullable()
  t.bigInteger('n').notNullable()
  t.primary(['org_id', 'assignee_id', 'environment', 'state', 'readiness'])
}

const revisionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.integer('revision').notNullable()
  t.text('environment').notNullable()
  t.text('document').notNullable()
  t.text('sha256').notNullable()
  t.text('statement')
  t.bigInteger('signed_off_at').notNullable()
  t.text('signer_id').notNullable()
  t.text('signer_name').notNullable()
  t.text('signer_role').notNullable()
  t.primary(['org_id', 'session_id', 'revision'])
  t.foreign(['org_id', 'session_id'], 'report_revisions_session_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
}

const stalenessTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.integer('revision').notNullable()
  t.bigInteger('at').notNullable()
  t.text('cause').notNullable()
  t.primary(['org_id', 'session_id', 'revision'])
}

const notesTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('kind').notNullable()
  t.integer('position').notNullable()
  t.text('note_id').notNullable()
  t.text('environment').notNullable()
  t.text('meaning')
  t.text('text').notNullable()
  t.text('author_id').notNullable()
  t.text('author_name').notNullable()
  t.text('author_role').notNullable()
  t.bigInteger('created_at').notNullable()
  t.primary(['org_id', 'session_id', 'kind', 'position'])
  t.foreign(['org_id', 'session_id'], 'notes_session_fkey').references(['org_id', 'session_id']).inTable('sessions')
}

const anchorsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('note_id').notNullable()
  t.text('anchor').notNullable()
  t.primary(['org_id', 'session_id', 'note_id'])
}

/**
 * What people make of a session: the queue, what they signed and what they wrote. Signed revisions, what made them stale,
 * notes and annotations stay as they are; what notes point at stands beside them, as an erasure takes it.
 */
export const reviews: Migration = {
  name: '0341-reviews',
  async up(h) {
    await h.createTable('reviews', reviewsTable)
    await h.createTable('review_counts', countsTable, { clustered: true })
    await h.createTable('report_revisions', revisionsTable)
    await h.createTable('report_staleness', stalenessTable, { clustered: true })
    await h.createTable('notes', notesTable, { clustered: true })
    await h.createTable('note_anchors', anchorsTable, { clustered: true })
    for (const table of ['report_revisions', 'report_staleness', 'notes']) await h.immutable(table)
  },
  down: (h) =>
    dropTables(h, 'note_anchors', 'notes', 'report_staleness', 'report_revisions', 'review_counts', 'reviews'),
}
