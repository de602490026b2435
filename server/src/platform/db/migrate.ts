import type { Knex } from 'knex'
import type { Engine, MigratableDb } from './dialect.ts'
import { migrationsTable } from './dialect.ts'
import { DatabaseBusy, DatabaseUnreachable } from './errors.ts'
import type { Param, Tx } from './types.ts'

/** One step of the schema. Listed statically, in order; `down` undoes exactly what `up` did. */
export interface Migration {
  /** Unique and stable, such as `0010-organisations`. */
  readonly name: string
  up(helpers: MigrationHelpers): Promise<void>
  down(helpers: MigrationHelpers): Promise<void>
}

/** What a migration may use; everything runs in the migration's own transaction. */
export interface MigrationHelpers {
  readonly engine: Engine
  readonly tx: Tx
  /**
   * knex's schema builder: `schema((s) => s.createTable('orgs', (t) => { … }))`. Creating, dropping and indexing work;
   * changing a column on SQLite does not (knex needs a connection for it): write that with `sql`.
   */
  schema(build: (schema: Knex.SchemaBuilder) => Knex.SchemaBuilder): Promise<void>
  /**
   * A table by knex's builder. `clustered`: its rows live in the order of their primary key (`WITHOUT ROWID` on SQLite, one
   * tree less to write for append-only tables; an ordinary table on Postgres).
   */
  createTable(
    name: string,
    build: (table: Knex.CreateTableBuilder) => void,
    options?: { readonly clustered: boolean },
  ): Promise<void>
  /** What the builder cannot say: one raw statement, or one for each engine where they differ. */
  sql(text: string | Readonly<Record<Engine, string>>, params?: readonly Param[]): Promise<void>
  /** Makes the table refuse UPDATE and DELETE (and TRUNCATE). Dropping the table ends it too. */
  immutable(table: string): Promise<void>
  /** Undoes `immutable`. */
  mutable(table: string): Promise<void>
}

interface SchemaStep {
  readonly sql: string
  readonly bindings: Param[]
}

/** Compiled here and run on the transaction's connection: knex itself has none. */
const compileSchema = (builder: Knex.SchemaBuilder): SchemaStep[] => {
  const compiled = builder.toSQL() as unknown as (SchemaStep & {
    readonly statementsProducer?: unknown
    readonly output?: unknown
  })[]
  return compiled.map(({ sql, bindings, statementsProducer, output }) => {
    if (statementsProducer || output) throw new TypeError(`write this change as SQL, not with knex: ${sql}`)
    return { sql, bindings: bindings ?? [] }
  })
}

const helpersFor = (db: MigratableDb, tx: Tx): MigrationHelpers => {
  const runAll = async (texts: readonly string[]) => {
    for (const text of texts) await tx.run(text)
  }
  return {
    engine: db.dialect.engine,
    tx,
    schema: async (build) => {
      for (const { sql, bindings } of compileSchema(build(db.dialect.schema()))) await tx.run(sql, bindings)
    },
    createTable: async (name, build, { clustered } = { clustered: false }) => {
      const [create, ...rest] = compileSchema(db.dialect.schema().createTable(name, build))
      if (!create) throw new TypeError(`${name} has no columns`)
      await tx.run(clustered ? `${create.sql} ${db.dialect.clustered}` : create.sql, create.bindings)
      for (const { sql, bindings } of rest) await tx.run(sql, bindings)
    },
    sql: async (text, params) => {
      await tx.run(typeof text === 'string' ? text : text[db.dialect.engine], params)
    },
    immutable: (table) => runAll(db.dialect.immutable(table)),
    mutable: (table) => runAll(db.dialect.mutable(table)),
  }
}

const appliedNames = async (tx: Tx): Promise<string[]> => {
  const rows = await tx.all<{ name: string }>(`SELECT name FROM ${migrationsTable} ORDER BY name`)
  return rows.map((row) => row.name)
}

/** A database that this version cannot bring up to date, and what its operator can do. */
export class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

const newerVersion = (unknown: readonly string[]): MigrationRefused =>
  new MigrationRefused(
    `The database was migrated by a newer version, with ${unknown.join(', ')}. Start that version or a later one. ` +
      'Back to this one leads only a restore of the backup that was made before the upgrade; nothing was changed here.',
  )

const failedStep = (name: string, cause: unknown): MigrationRefused =>
  new MigrationRefused(
    `Migration ${name} cannot be applied: ${cause instanceof Error ? cause.message : String(cause)}. Nothing of it stayed, ` +
      'and the version before can serve on as it did. Keep a backup of the database as it is, and report this line.',
    { cause },
  )

/**
 * Locks, then reads what is applied. A step that is missing below the newest is no fault: lines of work were joined after
 * databases had been made from one of them. It is applied in its place of the order, since steps only add.
 */
const lockedHistory = async (db: MigratableDb, tx: Tx, migrations: readonly Migration[]): Promise<Set<string>> => {
  await db.dialect.lockMigrations(tx)
  await db.dialect.prepareMigrations(tx)
  const applied = new Set(await appliedNames(tx))
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length > 0) throw newerVersion(unknown)
  return applied
}

const positionOf = (migrations: readonly Migration[], name: string): number => {
  const position = migrations.findIndex((migration) => migration.name === name)
  if (position === -1) throw new Error(`no such migration: ${name}`)
  return position
}

/** Told as a step begins and as it has ended. */
export interface MigrationStep {
  readonly migration: string
  readonly state: 'begins' | 'applied'
  /** Steps that were still to be applied at the beginning of the call, this one included. */
  readonly left: number
  /** Steps that the call applies. */
  readonly missing: number
  /** Milliseconds that it took; absent as it begins. */
  readonly ms?: number
}

/** What became of a step: an outage is one, and says so itself. */
const refusal = (name: string, error: unknown): unknown =>
  error instanceof MigrationRefused || error instanceof DatabaseUnreachable || error instanceof DatabaseBusy
    ? error
    : failedStep(name, error)

/**
 * Applies what is missing, up to and including `to`, each migration in a transaction of its own.
 * Any number of processes may call it at once: each migration runs exactly once. Returns the names applied by this call.
 */
export const migrateUp = async (
  db: MigratableDb,
  migrations: readonly Migration[],
  options: { readonly to?: string; readonly onStep?: (step: MigrationStep) => void } = {},
): Promise<string[]> => {
  const last = options.to === undefined ? migrations.length : positionOf(migrations, options.to) + 1
  const done: string[] = []
  if (last === 0) return done
  // Mostly nothing is missing: one look at the history tells, instead of one for each migration.
  const before = await db.transact((tx) => lockedHistory(db, tx, migrations))
  const missing = migrations.slice(0, last).filter(({ name }) => !before.has(name))
  for (const [n, migration] of missing.entries()) {
    const step = { migration: migration.name, left: missing.length - n, missing: missing.length }
    const began = performance.now()
    const work = db.transact(async (tx) => {
      const applied = await lockedHistory(db, tx, migrations)
      if (applied.has(migration.name)) return false
      options.onStep?.({ ...step, state: 'begins' })
      await migration.up(helpersFor(db, tx))
      await tx.run(`INSERT INTO ${migrationsTable} (name, applied_at) VALUES (?, ?)`, [migration.name, Date.now()])
      return true
    })
    const ran = await work.catch((error: unknown) => {
      throw refusal(migration.name, error)
    })
    if (!ran) continue
    done.push(migration.name)
    options.onStep?.({ ...step, state: 'applied', ms: Math.round(performance.now() - began) })
  }
  await db.transact((tx) => db.dialect.describeIndexes(tx))
  return done
}

/** Reverts every migration after `to`, newest first; `null` reverts all. Returns the names reverted by this call. */
export const migrateDown = async (
  db: MigratableDb,
  migrations: readonly Migration[],
  to: string | null,
): Promise<string[]> => {
  const keep = to === null ? 0 : positionOf(migrations, to) + 1
  const done: string[] = []
  for (const migration of migrations.slice(keep).reverse()) {
    const ran = await db.transact(async (tx) => {
      const applied = await lockedHistory(db, tx, migrations)
      if (!applied.has(migration.name)) return false
      await migration.down(helpersFor(db, tx))
      await tx.run(`DELETE FROM ${migrationsTable} WHERE name = ?`, [migration.name])
      return true
    })
    if (ran) done.push(migration.name)
  }
  return done
}

/** The names in the list that are not applied yet; a read, so it is cheap enough for readiness. */
export const pendingMigrations = async (db: MigratableDb, migrations: readonly Migration[]): Promise<string[]> => {
  const recorded = (await db.dialect.hasMigrations(db.reader))
    ? await db.reader.all<{ name: string }>(`SELECT name FROM ${migrationsTable}`)
    : []
  const applied = new Set(recorded.map((row) => row.name))
  return migrations.map((migration) => migration.name).filter((name) => !applied.has(name))
}

/** The schema as normalised text (tables, columns, constraints, indexes, triggers) for the dump kept in the repository. */
export const dumpSchema = (db: MigratableDb): Promise<string> => db.dialect.dump(db.reader)
