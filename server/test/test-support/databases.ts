import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, describe, inject } from 'vitest'
import type { Engine, MigratableDb } from '../../src/platform/db/dialect.ts'
import { type Migration, migrateUp } from '../../src/platform/db/migrate.ts'
import { openPostgres } from '../../src/platform/db/postgres.db.ts'
import { openSqlite } from '../../src/platform/db/sqlite.db.ts'

/** An empty database of its own, removed by `drop`. */
export interface FreshDatabase {
  readonly engine: Engine
  /** What a whole server needs to use it: absent for SQLite, whose file lies in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  /** The SQLite file that `openDb({ dataDir })` would use. */
  readonly file: string
  /** Opens one more Db on it, as another process would. */
  open(): MigratableDb
  /** Closes what `open` gave, then removes the database and `dataDir`. */
  drop(): Promise<void>
}

const administer = async (adminUrl: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** True when this run can test on the engine. */
export const hasEngine = (engine: Engine): boolean => engine === 'sqlite' || inject('postgresUrl') !== null

/** @returns the address of a new database, empty or a copy of another */
export const createDatabase = async (adminUrl: string, name: string, template?: string): Promise<string> => {
  // Copied as files: by way of the log, which is the default, takes four times the processor time.
  const copied = template === undefined ? '' : ` TEMPLATE ${template} STRATEGY FILE_COPY`
  await administer(adminUrl, `CREATE DATABASE ${name}${copied}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Makes a database on the engine, empty, or perhaps with the server's tables where that saves time. */
export const freshDatabase = async (
  engine: Engine,
  holds: 'nothing' | 'tables' = 'nothing',
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
    // A bench starts servers too, and has no run to ask.
    const template = holds === 'tables' && process.env['VITEST'] ? inject('migratedFile') : undefined
    if (template !== undefined) await copyFile(template, file)
    const drop = async () => {
      await closeAll()
      await rm(dataDir, { recursive: true, force: true })
    }
    return { engine, databaseUrl: undefined, dataDir, file, open: () => keep(openSqlite({ file })), drop }
  }
  const admin = inject('postgresUrl')
  if (!admin) throw new Error('this run has no Postgres')
  const name = `test_${randomBytes(8).toString('hex')}`
  const template = holds === 'tables' ? inject('migratedDatabase') : undefined
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
  for (const engine of ['sqlite', 'postgres'] as const) describeDatabase(engine, title, suite)
}
