import type { MigrationHelpers } from '../platform/db/migrate.ts'

/**
 * Creates a table whose rows live in their primary key's order: `WITHOUT ROWID` on SQLite (one tree less to write
 * for append-only tables), an ordinary table on Postgres.
 */
export const clustered = (helpers: MigrationHelpers, definition: string): Promise<void> =>
  helpers.sql({ sqlite: `${definition} WITHOUT ROWID`, postgres: definition })

export const dropTables = async (helpers: MigrationHelpers, ...names: string[]): Promise<void> => {
  for (const name of names) await helpers.sql(`DROP TABLE ${name}`)
}
