import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { MigratableDb } from './dialect.ts'
import { openPostgres } from './postgres.db.ts'
import { wholePostgres } from './postgres.snapshot.ts'
import type { WholeDatabase } from './snapshot.types.ts'
import { openSqlite } from './sqlite.db.ts'
import { wholeSqlite } from './sqlite.snapshot.ts'

/** Where SQLite has its database in a data folder. */
export const sqliteFile = (dataDir: string): string => path.join(dataDir, 'database.sqlite')

/** The configured database as a whole, which must be there. */
export const wholeDatabase = (config: { databaseUrl?: string | undefined; dataDir: string }): WholeDatabase =>
  config.databaseUrl ? wholePostgres(config.databaseUrl) : wholeSqlite(sqliteFile(config.dataDir))

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
  const file = sqliteFile(config.dataDir)
  return openSqlite({ file, ...(config.onGroup && { onGroup: config.onGroup }) })
}
