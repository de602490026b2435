import type { MigrationHelpers } from '../platform/db/migrate.ts'

export const dropTables = async (helpers: MigrationHelpers, ...names: string[]): Promise<void> => {
  for (const name of names) await helpers.schema((s) => s.dropTable(name))
}
