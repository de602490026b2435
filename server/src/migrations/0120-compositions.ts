import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const compositionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('composition_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('status').notNullable()
  t.text('render_id')
  t.text('wanted_inputs')
  t.text('pending_key')
  t.integer('progress_permille').notNullable().defaultTo(0)
  t.bigInteger('requested_at').notNullable()
  t.bigInteger('started_at')
  t.text('failure')
  t.bigInteger('finished_at')
  t.bigInteger('expires_at')
  t.text('film_inputs')
  t.integer('input_count')
  t.text('inputs_sha256')
  t.text('inputs')
  t.bigInteger('duration_ms')
  t.integer('width')
  t.integer('height')
  t.bigInteger('size_bytes')
  t.text('sha256')
  t.text('store_key')
  t.text('header')
  t.text('command')
  t.text('ffmpeg_version')
  t.primary(['org_id', 'composition_id'])
  t.foreign(['org_id', 'session_id'], 'compositions_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.unique(['org_id', 'session_id'], { indexName: 'compositions_session', useConstraint: false })
}

/**
 * One row for each session that anybody asked a film of. The film that is there (`header` is the key to its bytes) and
 * the render that is wanted (`render_id`) live side by side: a new film replaces the old one only when it is done.
 */
export const compositions: Migration = {
  name: '0120-compositions',
  async up(h) {
    await h.createTable('compositions', compositionsTable)
    await h.sql('CREATE INDEX compositions_expiry ON compositions (expires_at) WHERE header IS NOT NULL')
  },
  down: (h) => dropTables(h, 'compositions'),
}
