import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const evidenceCountsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('session_id').notNullable()
  t.text('evidence_type').notNullable()
  t.bigInteger('objects').notNullable()
  t.bigInteger('size_bytes').notNullable()
  t.bigInteger('erased_objects').notNullable()
  t.primary(['org_id', 'session_id', 'evidence_type'])
}

const uploadPartsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('upload_id').notNullable()
  t.integer('part_index').notNullable()
  t.text('sha256').notNullable()
  t.bigInteger('size_bytes').notNullable()
  t.bigInteger('created_at').notNullable()
  t.primary(['org_id', 'upload_id', 'part_index'])
}

const objectsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('object_id').notNullable()
  t.text('provider').notNullable()
  t.text('store_key').notNullable()
  t.text('header')
  t.bigInteger('size_bytes').notNullable()
  t.text('sha256').notNullable()
  t.integer('refs').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('erased_at')
  t.primary(['org_id', 'object_id'])
}

const evidenceTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('evidence_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('evidence_type').notNullable()
  t.bigInteger('position').notNullable()
  t.bigInteger('type_position').notNullable()
  t.text('client_id').notNullable()
  t.text('object_id').notNullable()
  t.bigInteger('size_bytes').notNullable()
  t.text('sha256').notNullable()
  t.text('content_type').notNullable()
  t.bigInteger('captured_at').notNullable()
  t.bigInteger('duration_ms')
  t.text('metadata').notNullable()
  t.bigInteger('created_at').notNullable()
  t.bigInteger('erased_at')
  t.primary(['org_id', 'evidence_id'])
  t.foreign(['org_id', 'session_id'], 'evidence_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.foreign(['org_id', 'object_id'], 'evidence_org_id_object_id_fkey')
    .references(['org_id', 'object_id'])
    .inTable('objects')
  t.unique(['org_id', 'session_id', 'position'], { indexName: 'evidence_position', useConstraint: false })
  t.unique(['org_id', 'session_id', 'evidence_type', 'type_position'], {
    indexName: 'evidence_type_position',
    useConstraint: false,
  })
  t.unique(['org_id', 'session_id', 'evidence_type', 'client_id'], {
    indexName: 'evidence_client',
    useConstraint: false,
  })
  t.index(['org_id', 'session_id', 'evidence_type', 'sha256'], 'evidence_bytes')
  t.index(['org_id', 'session_id', 'evidence_type', 'captured_at'], 'evidence_captured')
}

const uploadsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('org_id').notNullable()
  t.text('upload_id').notNullable()
  t.text('environment').notNullable()
  t.text('session_id').notNullable()
  t.text('client_id').notNullable()
  t.text('evidence_type').notNullable()
  t.bigInteger('size_bytes').notNullable()
  t.text('sha256').notNullable()
  t.text('content_type').notNullable()
  t.bigInteger('captured_at').notNullable()
  t.bigInteger('duration_ms')
  t.text('metadata').notNullable()
  t.bigInteger('part_size').notNullable()
  t.integer('part_count').notNullable()
  t.text('state').notNullable()
  t.text('store_key').notNullable()
  t.text('header')
  t.text('nonce')
  t.text('evidence_id')
  t.bigInteger('created_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.primary(['org_id', 'upload_id'])
  t.foreign(['org_id', 'session_id'], 'uploads_org_id_session_id_fkey')
    .references(['org_id', 'session_id'])
    .inTable('sessions')
  t.index(['org_id', 'session_id', 'evidence_type', 'client_id'], 'uploads_client')
  t.index(['state', 'expires_at'], 'uploads_open')
}

/**
 * Stored objects (their age header is the key to them: deleting it shreds the object), evidence rows that refer to
 * them, kept counts, and uploads in flight.
 */
export const evidence: Migration = {
  name: '0050-evidence',
  async up(h) {
    await h.createTable('objects', objectsTable)
    await h.createTable('evidence', evidenceTable)
    await h.createTable('evidence_counts', evidenceCountsTable, { clustered: true })
    await h.createTable('uploads', uploadsTable)
    await h.createTable('upload_parts', uploadPartsTable, { clustered: true })
  },
  down: (h) => dropTables(h, 'upload_parts', 'uploads', 'evidence_counts', 'evidence', 'objects'),
}
