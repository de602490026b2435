import path from 'node:path'
import Database from 'better-sqlite3'

/** Another server holds the folder. */
export class FolderTaken extends Error {
  override readonly name = 'FolderTaken'
}

/**
 * Takes a data folder for one server: SQLite serves one process, and a second one would count, stream and forget apart from
 * it. The lock is one of the operating system's, so it ends with the process, however that ends. @returns gives it back
 */
export const takeFolder = (dataDir: string): (() => void) => {
  const lock = new Database(path.join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
    throw new FolderTaken(
      `Another server serves ${dataDir} already. On SQLite one process serves a folder: end that one, or give this one ` +
        'another DATA_DIR. Several processes need a DATABASE_URL of Postgres.',
      { cause: error },
    )
  }
  return () => lock.close()
}
