import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const presenceBeatsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('companion_id').notNullable()
  t.text('client_id').notNullable()
  t.bigInteger('at').notNullable()
  t.text('beat').notNullable()
  t.bigInteger('received_at').notNullable()
  t.primary(['org_id', 'companion_id', 'client_id'])
}

const companionsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('companion_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('credential_id').notNullable()
  t.text('device')
  t.bigInteger('paired_at').notNullable()
  t.bigInteger('ended_at')
  t.text('end_reason')
  t.text('steps').notNullable().defaultTo('[]')
  t.bigInteger('placed_at')
  t.text('photo_evidence_id')
  t.text('recording').notNullable().defaultTo('off')
  t.bigInteger('interrupted_at')
  t.bigInteger('last_beat_at')
  t.text('last_beat')
  t.bigInteger('last_contact_at')
  t.primary(['org_id', 'companion_id'])
  t.foreign(['org_id', 'session_id'], 'companions_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.index(['org_id', 'session_id', 'paired_at'], 'companions_session')
}

/** Phones paired with a session, one after the other, and what they said of themselves. */
export const companions: Migration = {
  name: '0140-companions',
  async up(h) {
    await h.createTable('companions', companionsTable)
    await h.createTable('presence_beats', presenceBeatsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'presence_beats', 'companions'),
}
