import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const linksTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('link_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('kind').notNullable()
  t.text('subject_id').notNullable()
  t.text('origin')
  t.text('token_hash').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('ended_at')
  t.text('end_reason')
  t.unique(['token_hash'], { indexName: 'links_token_hash_key' })
  t.primary(['org_id', 'link_id'])
  t.foreign(['org_id', 'session_id'], 'links_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.index(['org_id', 'subject_id', 'kind'], 'links_subject')
}

/** Links that people get by e-mail, each for one thing; an ended one is kept, so that it can be said why it ended. */
export const links: Migration = {
  name: '0180-links',
  async up(h) {
    await h.createTable('links', linksTable)
  },
  down: (h) => dropTables(h, 'links'),
}
