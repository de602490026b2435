import { createDatabase } from './create-database.ts'
import { migratedPostgres } from './postgres-door.ts'
import { makeCluster, runPostgres } from './postgres-server.ts'
import { templateFolder } from './templates.ts'

/** A cluster that has the database {@link migratedPostgres}, for `startPostgres`; made where the migrations have changed. */
export const postgresTemplate = (native: string): Promise<string> =>
  templateFolder('postgres', async (folder) => {
    const [{ migrations }, { migrateUp }, { openPostgres }] = await Promise.all([
      import('../../src/migrations/index.ts'),
      import('../../src/platform/db/migrate.ts'),
      import('../../src/platform/db/postgres/postgres.db.ts'),
    ])
    const home = makeCluster(native, folder)
    const server = await runPostgres(home, { folder, fsync: false, remove: () => undefined })
    const db = openPostgres({ connectionString: await createDatabase(server.url, migratedPostgres), max: 2 })
    await migrateUp(db, migrations)
    await db.close()
    await server.stop()
  })
