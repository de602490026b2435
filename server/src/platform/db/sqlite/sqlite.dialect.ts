import type { Knex } from 'knex'
import { type Dialect, migrationsTable } from '../dialect.ts'
import { quoteName } from '../insert-many.ts'
import { newKnex } from '../new-knex.ts'
import { formatDefinition } from '../schema-text.ts'
import type { Reader, Tx } from '../types.ts'
import { describeIndexes } from './sqlite.statistics.ts'

export class SqliteDialect implements Dialect {
  readonly engine = 'sqlite'
  readonly clustered = 'WITHOUT ROWID'
  #knex: Knex | undefined

  schema(): Knex.SchemaBuilder {
    this.#knex ??= newKnex({ client: 'better-sqlite3', useNullAsDefault: true })
    return this.#knex.schema
  }

  /** BEGIN IMMEDIATE already holds the write lock. */
  async lockMigrations(): Promise<void> {}

  async prepareMigrations(tx: Tx): Promise<void> {
    await tx.run(`CREATE TABLE IF NOT EXISTS ${migrationsTable} (
      name text NOT NULL PRIMARY KEY,
      applied_at bigint NOT NULL
    )`)
  }

  async hasMigrations(reader: Reader): Promise<boolean> {
    const sql = "SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = ?"
    return (await reader.get(sql, [migrationsTable])) !== undefined
  }

  readonly describeIndexes = describeIndexes

  async tendPartitions(): Promise<void> {}

  immutable(table: string): readonly string[] {
    quoteName(table)
    return ['update', 'delete'].map(
      (verb) => `CREATE TRIGGER "${table}_no_${verb}" BEFORE ${verb.toUpperCase()} ON "${table}"
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
    )
  }

  mutable(table: string): readonly string[] {
    quoteName(table)
    return ['update', 'delete'].map((verb) => `DROP TRIGGER "${table}_no_${verb}"`)
  }

  async dump(reader: Reader): Promise<string> {
    const rows = await reader.all<{ sql: string }>(
      `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name <> ?
       ORDER BY tbl_name, CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 ELSE 2 END, name`,
      [migrationsTable],
    )
    return rows.map((row) => `${formatDefinition(row.sql)}\n`).join('')
  }
}
