import type { Knex } from 'knex'
import type { Db, Reader, Tx } from './types.ts'

export type Engine = 'sqlite' | 'postgres'

/** What differs between the engines when the schema is made, locked or described. */
export interface Dialect {
  readonly engine: Engine
  /** A knex schema builder without a connection. */
  schema(): Knex.SchemaBuilder
  /** Ends the statement that creates a table whose rows live in the order of their primary key. */
  readonly clustered: string
  /** Takes the migration lock for the rest of the transaction, so that concurrent starters wait for each other. */
  lockMigrations(tx: Tx): Promise<void>
  /** Makes the record of migrations, and what the helpers need, if they are missing. */
  prepareMigrations(tx: Tx): Promise<void>
  hasMigrations(reader: Reader): Promise<boolean>
  /** After the migrations: tells the planner what it cannot find out by itself. */
  describeIndexes(tx: Tx): Promise<void>
  /**
   * Makes the parts of coming months of tables that are divided by time, and drops those of months that are over and empty.
   * Nothing where the engine has no such tables. Milliseconds.
   */
  tendPartitions(db: Db, now: number): Promise<void>
  /** Statements that make a table refuse UPDATE and DELETE, and those that let it accept them again. */
  immutable(table: string): readonly string[]
  mutable(table: string): readonly string[]
  /** The schema as sorted, normalised text, without the record of migrations. */
  dump(reader: Reader): Promise<string>
}

/** A database whose schema can be migrated. The composition root has it; everything else takes a plain `Db`. */
export interface MigratableDb extends Db {
  readonly dialect: Dialect
  /**
   * Takes what was deleted from these tables out of the files of the database, so far as the engine lets it: SQLite
   * overwrites it at once and empties the write-ahead log here, Postgres writes the tables again. Rejects when somebody who
   * reads or writes is in the way: to be tried again.
   */
  scrub(tables: readonly string[]): Promise<void>
}

/** Where applied migrations are recorded. */
export const migrationsTable = 'migrations'
