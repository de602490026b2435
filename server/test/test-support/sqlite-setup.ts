import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrations } from '../../src/migrations/index.ts'
import { migrateUp } from '../../src/platform/db/migrate.ts'
import { openSqlite } from '../../src/platform/db/sqlite.db.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A SQLite file with every table and no row, to be copied: migrating takes longer. Absent where few servers start. */
    migratedFile: string | undefined
  }
}

/** Once for each run of a project whose tests start many servers. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'integrity-migrated-'))
  const file = path.join(folder, 'database.sqlite')
  const db = openSqlite({ file })
  await migrateUp(db, migrations)
  await db.close()
  project.provide('migratedFile', file)
  return () => rmSync(folder, { recursive: true, force: true })
}
