import path from 'node:path'
import { templateFolder } from './templates.ts'

const name = 'database.sqlite'

const fill = async (folder: string): Promise<void> => {
  // Loaded only where there is something to make: most runs copy.
  const [{ migrations }, { migrateUp }, { openSqlite }] = await Promise.all([
    import('../../src/migrations/index.ts'),
    import('../../src/platform/db/migrate.ts'),
    import('../../src/platform/db/sqlite/sqlite.db.ts'),
  ])
  const db = openSqlite({ file: path.join(folder, name) })
  await migrateUp(db, migrations)
  await db.close()
}

let made: Promise<string> | undefined

/** A SQLite file with every table and no row, to be copied: migrating takes longer. */
export const migratedSqlite = async (): Promise<string> => {
  made ??= templateFolder('sqlite', fill)
  return path.join(await made, name)
}
