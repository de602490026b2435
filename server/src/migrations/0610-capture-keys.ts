import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const captureKeysTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('key').notNullable()
  t.text('document_hash').notNullable()
  t.text('signature').notNullable()
  t.bigInteger('registered_at').notNullable()
  t.bigInteger('end_items')
  t.text('end_last')
  t.text('end_signature')
  t.bigInteger('ended_at')
  t.primary(['org_id', 'session_id', 'key'])
  t.foreign(['org_id', 'session_id'], 'capture_keys_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
}

const ofEvidence = {
  signing_key: 'text',
  signing_sequence: 'bigint',
  signing_previous: 'text',
  signing_signature: 'text',
  signing_verified: 'bigint',
}

/** Keys that machines made for their sessions, and the signatures that items came with. */
export const captureKeys: Migration = {
  name: '0610-capture-keys',
  async up(h) {
    await h.createTable('capture_keys', captureKeysTable)
    for (const [name, type] of Object.entries(ofEvidence))
      await h.sql(`ALTER TABLE evidence ADD COLUMN ${name} ${type}`)
    await h.sql(`CREATE INDEX evidence_chain
      ON evidence (org_id, session_id, signing_key, signing_sequence, evidence_id) WHERE signing_key IS NOT NULL`)
    await h.sql('ALTER TABLE uploads ADD COLUMN capture_signature text')
  },
  async down(h) {
    await h.sql('ALTER TABLE uploads DROP COLUMN capture_signature')
    await h.sql('DROP INDEX evidence_chain')
    for (const name of Object.keys(ofEvidence).reverse()) await h.sql(`ALTER TABLE evidence DROP COLUMN ${name}`)
    await dropTables(h, 'capture_keys')
  },
}
