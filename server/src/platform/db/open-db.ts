import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { MigratableDb } from './dialect.ts'
import { openPostgres } from './postgres.db.ts'
import { openSqlite } from './sqlite.db.ts'

/**
 * Opens the configured database: Postgres when `databaseUrl` is given (`postgres://…` or `postgresql://…`), otherwise
 * SQLite in `dataDir`, which is made when missing and is readable by its owner only.
 */
export const openDb = async (config: {
  databaseUrl?: string
  dataDir: string
  onGroup?: (size: number) => void
}): Promise<MigratableDb> => {
  if (config.databaseUrl) {
    if (!/^postgres(ql)?:\/\//.test(config.databaseUrl)) throw new TypeError('DATABASE_URL must begin with postgres://')
    return openPostgres({ connectionString: config.databaseUrl })
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const file = path.join(config.dataDir, 'database.sqlite')
  return openSqlite({ file, ...(config.onGroup && { onGroup: config.onGroup }) })
}
