import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe } from 'vitest'
import type { Engine, MigratableDb } from '../../src/platform/db/dialect.ts'
import { type Migration, migrateUp } from '../../src/platform/db/migrate.ts'
import { openPostgres } from '../../src/platform/db/postgres/postgres.db.ts'
import { openSqlite } from '../../src/platform/db/sqlite/sqlite.db.ts'
import { administer, createDatabase } from './create-database.ts'
import { everyEngine, hasEngine } from './engines.ts'
import { migratedPostgres, postgresUrl } from './postgres-door.ts'
import { migratedSqlite } from './sqlite-template.ts'

/** An empty database of its own, removed by `drop`. */
export interface FreshDatabase {
  readonly engine: Engine
  /** What a whole server needs to use it: absent for SQLite, whose file is in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** The SQLite file that `openDb({ dataDir })` would use. */
  readonly file: string
  /** Opens one more Db on it, as another process would. */
  open(): MigratableDb
  /** Closes what `open` gave, then removes the database and `dataDir`. */
  drop(): Promise<void>
}

/**
 * Makes a database on the engine, empty, or perhaps with the server's tables where that saves time. `postgres`: where another
 * Postgres than the run's can be administered.
 */
export const freshDatabase = async (
  engine: Engine,
  holds: 'nothing' | 'tables' = 'nothing',
  postgres?: string,
): Promise<FreshDatabase> => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'integrity-db-'))
  const file = path.join(dataDir, 'database.sqlite')
  const opened: MigratableDb[] = []
  const keep = (db: MigratableDb) => {
    opened.push(db)
    return db
  }
  const closeAll = async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()))
  }
  if (engine === 'sqlite') {
    if (holds === 'tables') await copyFile(await migratedSqlite(), file)
    const drop = async () => {
      await closeAll()
      await rm(dataDir, { recursive: true, force: true })
    }
    return { engine, databaseUrl: undefined, dataDir, file, open: () => keep(openSqlite({ file })), drop }
  }
  const admin = postgres ?? (await postgresUrl())
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = holds === 'tables' ? migratedPostgres : undefined
  const databaseUrl = await createDatabase(admin, name, template)
  const drop = async () => {
    await closeAll()
    await administer(admin, `DROP DATABASE ${name} WITH (FORCE)`)
    await rm(dataDir, { recursive: true, force: true })
  }
  const open = () => keep(openPostgres({ connectionString: databaseUrl, max: 8 }))
  return { engine, databaseUrl, dataDir, file, open, drop }
}

/** `open()` gives the suite's database, migrated with the list if one is given; every call opens another Db on it. */
export type OpenDatabase = (migrations?: readonly Migration[]) => Promise<MigratableDb>

type Suite = (open: OpenDatabase, engine: Engine, fresh: () => Promise<FreshDatabase>) => void

/** Runs the suite on one engine, on a fresh database that is removed after it. */
export const describeDatabase = (engine: Engine, title: string, suite: Suite): void => {
  describe.skipIf(!hasEngine(engine))(`${title} (${engine})`, () => {
    let database: Promise<FreshDatabase> | undefined
    const fresh = () => {
      database ??= freshDatabase(engine)
      return database
    }
    afterAll(async () => {
      await (await database)?.drop()
    })
    const open: OpenDatabase = async (migrations = []) => {
      const db = (await fresh()).open()
      await migrateUp(db, migrations)
      return db
    }
    suite(open, engine, fresh)
  })
}

/**
 * Runs the suite once on each engine, each time on one fresh database, which is removed after the suite.
 * Call `open` in `beforeAll`, `beforeEach` or a test; what it opened is closed for you.
 */
export const describeEachDatabase = (title: string, suite: Suite): void => {
  for (const engine of everyEngine()) describeDatabase(engine, title, suite)
}
