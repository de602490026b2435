import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { MigratableDb } from './dialect.ts'
import { openPostgres } from './postgres/postgres.db.ts'
import { wholePostgres } from './postgres/postgres.snapshot.ts'
import type { ReplicaOutcome } from './postgres/replica.types.ts'
import type { WholeDatabase } from './snapshot.types.ts'
import { openSqlite } from './sqlite/sqlite.db.ts'
import { wholeSqlite } from './sqlite/sqlite.snapshot.ts'

/** Where SQLite has its database in a data folder. */
export const sqliteFile = (dataDir: string): string => path.join(dataDir, 'database.sqlite')

/** Where the database is. */
export interface DatabaseAddress {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  /** The same Postgres without the pooler that `databaseUrl` names. */
  readonly databaseDirectUrl?: string | undefined
}

/** The configured database as a whole, which must be there. */
export const wholeDatabase = ({ databaseUrl, databaseDirectUrl, dataDir }: DatabaseAddress): WholeDatabase =>
  databaseUrl ? wholePostgres(databaseDirectUrl ?? databaseUrl) : wholeSqlite(sqliteFile(dataDir))

export interface OpenDbOptions extends DatabaseAddress {
  /** A replica of it. */
  readonly databaseReadUrl?: string | undefined
  readonly onReplicaRead?: (outcome: ReplicaOutcome) => void
  readonly onWakes?: (lost: Error | undefined) => void
  readonly onGroup?: (size: number) => void
}

/**
 * Opens the configured database: Postgres when `databaseUrl` is given (`postgres://…` or `postgresql://…`), otherwise
 * SQLite in `dataDir`, which is made when missing and is readable by its owner only.
 */
export const openDb = async (config: OpenDbOptions): Promise<MigratableDb> => {
  if (config.databaseUrl) {
    if (!/^postgres(ql)?:\/\//.test(config.databaseUrl)) throw new TypeError('DATABASE_URL must begin with postgres://')
    return openPostgres({
      connectionString: config.databaseUrl,
      directString: config.databaseDirectUrl,
      readString: config.databaseReadUrl,
      onReplicaRead: config.onReplicaRead,
      onWakes: config.onWakes,
    })
  }
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const file = sqliteFile(config.dataDir)
  return openSqlite({ file, ...(config.onGroup && { onGroup: config.onGroup }) })
}
