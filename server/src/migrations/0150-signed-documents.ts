import type { Knex } from 'knex'
import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

const signedDocumentsTable = (t: Knex.CreateTableBuilder): void => {
  t.text('series').notNullable()
  t.bigInteger('sequence').notNullable()
  t.text('document').notNullable()
  t.text('signature').notNullable()
  t.text('key_id').notNullable()
  t.bigInteger('issued_at').notNullable()
  t.bigInteger('expires_at').notNullable()
  t.bigInteger('published_at').notNullable()
  t.primary(['series', 'sequence'])
}

/** Update manifests and the security policy as the operator signed them; every one that was ever in force is kept. */
export const signedDocuments: Migration = {
  name: '0150-signed-documents',
  up: (h) => h.createTable('signed_documents', signedDocumentsTable),
  down: (h) => dropTables(h, 'signed_documents'),
}
