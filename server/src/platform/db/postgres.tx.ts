import type pg from 'pg'
import { type InsertManyOptions, type InsertTexts, rowsAsColumns } from './insert-many.ts'
import { OpenTx } from './open-tx.ts'
import type { PostgresTexts } from './postgres.text.ts'
import { checkParams, compileBuilder } from './statement.ts'
import type { ColumnSpec, Param, Statement, Tx } from './types.ts'

/** The pg query for a statement. */
export function queryFor(texts: PostgresTexts, sql: Statement, params: readonly Param[] | undefined): pg.QueryConfig {
  if (typeof sql === 'string') return { ...texts.get(sql), values: checkParams(params) as Param[] }
  const compiled = compileBuilder(sql)
  return { ...texts.get(compiled.sql), values: compiled.params as Param[] }
}

/** One transaction on one pooled connection. Statements run one after the other, in the order they were asked for. */
export class PostgresTx extends OpenTx implements Tx {
  readonly forUpdate = ' FOR UPDATE'
  readonly forUpdateSkipLocked = ' FOR UPDATE SKIP LOCKED'
  readonly hashesInSql = true
  readonly #client: pg.ClientBase
  readonly #texts: PostgresTexts
  readonly #inserts: InsertTexts
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: pg.ClientBase, texts: PostgresTexts, inserts: InsertTexts) {
    super()
    this.#client = client
    this.#texts = texts
    this.#inserts = inserts
  }

  async all<Row>(sql: Statement, params?: readonly Param[]): Promise<Row[]> {
    return (await this.#query(sql, params)).rows as Row[]
  }

  async get<Row>(sql: Statement, params?: readonly Param[]): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0] as Row | undefined
  }

  async run(sql: Statement, params?: readonly Param[]): Promise<{ changes: number }> {
    return { changes: (await this.#query(sql, params)).rowCount ?? 0 }
  }

  async insertMany<Row = never>(
    table: string,
    columns: readonly ColumnSpec[],
    rows: readonly (readonly Param[])[],
    options?: InsertManyOptions,
  ): Promise<Row[]> {
    const refusal = this.refusal()
    if (refusal !== undefined) throw refusal
    if (rows.length === 0) return []
    try {
      const { text, name } = this.#texts.get(this.#inserts.get(table, columns, options))
      return (await this.#send({ text, name, values: rowsAsColumns(columns, rows) })).rows as Row[]
    } catch (error) {
      throw this.fail(error)
    }
  }

  /** Resolves when no statement is on its way, so that COMMIT or ROLLBACK comes after the last of them. */
  async settled(): Promise<void> {
    await this.#last
  }

  async #query(sql: Statement, params: readonly Param[] | undefined): Promise<pg.QueryResult> {
    const refusal = this.refusal()
    if (refusal !== undefined) throw refusal
    try {
      return await this.#send(queryFor(this.#texts, sql, params))
    } catch (error) {
      throw this.fail(error)
    }
  }

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    // pg will stop queueing on a busy client, so that is done here.
    const sent = this.#last.then(() => this.#client.query(query))
    this.#last = sent.catch(() => undefined)
    return sent
  }
}
