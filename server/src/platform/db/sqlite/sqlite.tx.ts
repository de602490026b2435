import { InsertTexts, rowAsParams, sqliteInsertText } from '../insert-many.ts'
import { OpenTx } from '../open-tx.ts'
import type { ColumnSpec, InsertManyOptions, Param, Tx } from '../types.ts'
import type { SqliteConnection } from './sqlite.connection.ts'

/** What was inserted is known already: asking SQLite for it back with RETURNING costs more than the insert. */
const pick = (
  columns: readonly ColumnSpec[],
  params: readonly (readonly Param[])[],
  inserted: readonly number[],
  names: readonly string[],
): Record<string, Param | undefined>[] => {
  const places = names.map((name) => columns.findIndex((column) => column.name === name))
  if (places.includes(-1)) throw new TypeError('insertMany returns only columns that it inserts')
  return inserted.map((index) => {
    const row: Record<string, Param | undefined> = {}
    for (const [n, name] of names.entries()) row[name] = params[index]?.[places[n]!]
    return row
  })
}

/** One transaction's view of the writer. Statements run at once; the promises only carry their results. */
export class SqliteTx extends OpenTx implements Tx {
  readonly forUpdate = ''
  readonly forUpdateSkipLocked = ''
  readonly changesInWith = false
  readonly #writer: SqliteConnection
  readonly #inserts: InsertTexts

  constructor(writer: SqliteConnection, inserts: InsertTexts) {
    super()
    this.#writer = writer
    this.#inserts = inserts
  }

  all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]> {
    const refusal = this.refusal()
    if (refusal !== undefined) return Promise.reject(refusal)
    try {
      return Promise.resolve(this.#writer.all(sql, params) as Row[])
    } catch (error) {
      return Promise.reject(this.fail(error) as Error)
    }
  }

  get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    const refusal = this.refusal()
    if (refusal !== undefined) return Promise.reject(refusal)
    try {
      return Promise.resolve(this.#writer.get(sql, params) as Row | undefined)
    } catch (error) {
      return Promise.reject(this.fail(error) as Error)
    }
  }

  run(sql: string, params?: readonly Param[]): Promise<{ changes: number }> {
    const refusal = this.refusal()
    if (refusal !== undefined) return Promise.reject(refusal)
    try {
      return Promise.resolve(this.#writer.run(sql, params))
    } catch (error) {
      return Promise.reject(this.fail(error) as Error)
    }
  }

  insertMany<Row = never>(
    table: string,
    columns: readonly ColumnSpec[],
    rows: readonly (readonly Param[])[],
    options?: InsertManyOptions,
  ): Promise<Row[]> {
    const refusal = this.refusal()
    if (refusal !== undefined) return Promise.reject(refusal)
    if (rows.length === 0) return Promise.resolve([])
    try {
      const text = this.#inserts.get(table, columns, options)
      const params = rows.map((row) => rowAsParams(columns, row))
      const inserted = this.#writer.insertEach(text, params)
      return Promise.resolve((options?.returning ? pick(columns, params, inserted, options.returning) : []) as Row[])
    } catch (error) {
      return Promise.reject(this.fail(error) as Error)
    }
  }
}

export const sqliteInserts = () => new InsertTexts(sqliteInsertText)
