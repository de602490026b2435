import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/** Update manifests and the security policy as the operator signed them; every one that was ever in force is kept. */
export const signedDocuments: Migration = {
  name: '0150-signed-documents',
  up: (h) =>
    h.sql(`CREATE TABLE signed_documents (
      series text NOT NULL, sequence bigint NOT NULL, document text NOT NULL, signature text NOT NULL,
      key_id text NOT NULL, issued_at bigint NOT NULL, expires_at bigint NOT NULL, published_at bigint NOT NULL,
      PRIMARY KEY (series, sequence))`),
  down: (h) => dropTables(h, 'signed_documents'),
}
