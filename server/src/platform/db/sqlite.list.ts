import { TransactionMisuse } from './errors.ts'
import type { SqliteConnection, SqliteRunner } from './sqlite.connection.ts'
import { checkParams, compileBuilder } from './statement.ts'
import type { Param, Statement } from './types.ts'

/** A write and the parameters it is run with, one time after the other. Each is to touch exactly one row. */
export interface ListedWrite {
  readonly sql: string
  readonly rows: readonly (readonly Param[])[]
}

/** The work wants to know what came of a write, so its writes cannot wait in a list. */
export class NotListable extends TransactionMisuse {}

const target = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)/i

/**
 * Writes a transaction down instead of carrying it out: reads are answered by the connection, writes are listed and taken
 * to have touched one row each. What has been written to cannot be read any more.
 */
export class WriteList implements SqliteRunner {
  readonly writes: ListedWrite[] = []
  readonly #connection: SqliteConnection
  readonly #written = new Set<string>()

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  all(statement: Statement, params: readonly Param[] | undefined): unknown[] {
    this.#checkRead(statement)
    return this.#connection.all(statement, params)
  }

  get(statement: Statement, params: readonly Param[] | undefined): unknown {
    this.#checkRead(statement)
    return this.#connection.get(statement, params)
  }

  run(statement: Statement, params: readonly Param[] | undefined): { changes: number } {
    if (typeof statement !== 'string') {
      const compiled = compileBuilder(statement)
      return this.run(compiled.sql, compiled.params)
    }
    this.#add(statement, [checkParams(params)])
    return { changes: 1 }
  }

  insertEach(sql: string, rows: readonly (readonly Param[])[]): number[] {
    this.#add(sql, rows)
    return Array.from(rows.keys())
  }

  #add(sql: string, rows: ListedWrite['rows']): void {
    const table = target.exec(sql)?.[1]
    if (table === undefined) throw new NotListable('not a statement whose table can be told')
    this.#written.add(table)
    this.writes.push({ sql, rows })
  }

  #checkRead(statement: Statement): void {
    const sql = typeof statement === 'string' ? statement : compileBuilder(statement).sql
    if (!this.#connection.prepare(sql).readonly) throw new NotListable('a write whose result is asked for')
    for (const table of this.#written)
      if (sql.includes(table)) throw new NotListable(`a read of ${table}, which has been written to`)
  }
}
