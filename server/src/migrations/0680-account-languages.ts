import type { Migration } from '../platform/db/migrate.ts'

/** In which language somebody is written to of their own account and organisations, as far as it is known. */
export const accountLanguages: Migration = {
  name: '0680-account-languages',
  up: (h) => h.sql('ALTER TABLE users ADD COLUMN locale text'),
  down: (h) => h.sql('ALTER TABLE users DROP COLUMN locale'),
}
