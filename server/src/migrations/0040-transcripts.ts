import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const transcriptSegmentsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('client_segment_id').notNullable()
  t.text('segment_id').notNullable()
  t.bigInteger('change_seq').notNullable()
  t.integer('sequence').notNullable()
  t.text('speaker').notNullable()
  t.bigInteger('start_ms').notNullable()
  t.bigInteger('end_ms').notNullable()
  t.text('text').notNullable()
  t.text('language')
  t.integer('final').notNullable()
  t.double('confidence')
  t.bigInteger('updated_at').notNullable()
  t.primary(['org_id', 'session_id', 'client_segment_id'])
  t.index(['org_id', 'session_id', 'start_ms', 'sequence'], 'transcript_order')
  t.index(['org_id', 'session_id', 'change_seq'], 'transcript_changes')
}

/** Transcript segments; `change_seq` is the session's own counter, so that a poll can ask for what changed. */
export const transcripts: Migration = {
  name: '0040-transcripts',
  async up(h) {
    await h.createTable('transcript_segments', transcriptSegmentsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'transcript_segments'),
}
