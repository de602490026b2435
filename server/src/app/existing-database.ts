import { access } from 'node:fs/promises'
import type { MigratableDb } from '../platform/db/dialect.ts'
import { DatabaseUnreachable } from '../platform/db/errors.ts'
import { type DatabaseAddress, openDb, sqliteFile } from '../platform/db/open-db.ts'
import { ConfigError } from './config.ts'

/** Where the settings say that the database is, without what opens it. */
export const databasePlace = ({ dataDir, databaseUrl }: DatabaseAddress): string => {
  if (databaseUrl === undefined) return sqliteFile(dataDir)
  const { protocol, host, pathname, searchParams } = new URL(databaseUrl)
  return `${protocol}//${host || (searchParams.get('host') ?? '')}${pathname}`
}

export const noDatabase = (place: DatabaseAddress): ConfigError =>
  new ConfigError(
    `There is no database at ${databasePlace(place)}: is DATA_DIR or DATABASE_URL missing? ` +
      'Only the first start of the server, bootstrap and migrate make one.',
  )

/** Runs it; a database that is away becomes a ConfigError that says which one, by which setting, and what to look at. */
export const namingDatabase = async <T>(place: DatabaseAddress, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof DatabaseUnreachable)) throw error
    const { message, code } = (error.cause ?? {}) as { readonly message?: string; readonly code?: string }
    throw new ConfigError(
      `The database of DATABASE_URL, ${databasePlace(place)}, cannot be reached (${message || code || 'no answer'}): ` +
        'look whether it runs and whether DATABASE_URL names it.',
      { cause: error },
    )
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Without what else a config has: commands read from the primary alone. */
export const addressOf = ({ dataDir, databaseUrl, databaseDirectUrl }: DatabaseAddress): DatabaseAddress => ({
  dataDir,
  databaseUrl,
  databaseDirectUrl,
})

/** Opens the database that a server has begun before. A folder or a database without one is left as it is. */
export const openExisting = async (
  place: DatabaseAddress,
  open: () => Promise<MigratableDb> = () => openDb(addressOf(place)),
): Promise<MigratableDb> => {
  if (place.databaseUrl === undefined && !(await isThere(sqliteFile(place.dataDir)))) throw noDatabase(place)
  const db = await open()
  try {
    if (await db.dialect.hasMigrations(db.reader)) return db
    throw noDatabase(place)
  } catch (error) {
    await db.close()
    throw error
  }
}
