import type pg from 'pg'
import { mapDatabaseError } from '../errors.ts'
import { type InsertTexts, rowsAsColumns } from '../insert-many.ts'
import { OpenTx } from '../open-tx.ts'
import { checkParams } from '../statement.ts'
import { type ColumnSpec, type InsertManyOptions, type Param, type Tx, UniqueViolation } from '../types.ts'
import { arrayText } from './postgres.arrays.ts'
import type { PostgresTexts } from './postgres.text.ts'

/** The pg query for a statement. */
export const queryFor = (texts: PostgresTexts, sql: string, params: readonly Param[] | undefined): pg.QueryConfig => ({
  ...texts.get(sql),
  values: checkParams(params) as Param[],
})

/** What `RETURNING` would answer when every row was inserted. */
const pick = (
  columns: readonly ColumnSpec[],
  cells: readonly (readonly (string | number | null)[])[],
  names: readonly string[],
) => {
  const picked = names.map((name) => [name, cells[columns.findIndex((column) => column.name === name)]] as const)
  return cells[0]?.map((_, row) => Object.fromEntries(picked.map(([name, column]) => [name, column?.[row]])))
}

interface TxOptions {
  readonly texts: PostgresTexts
  readonly inserts: InsertTexts
  /** How it begins. */
  readonly begin: string
}

const isSelect = /^\s*select\b/i

/**
 * One transaction on one pooled connection. Statements run one after the other, in the order they were asked for; those
 * that are asked for at once travel together (the connection pipelines), and so does BEGIN with the first reads.
 */
export class PostgresTx extends OpenTx implements Tx {
  readonly forUpdate = ' FOR UPDATE'
  readonly forUpdateSkipLocked = ' FOR UPDATE SKIP LOCKED'
  readonly changesInWith = true
  readonly #client: pg.ClientBase
  readonly #texts: PostgresTexts
  readonly #inserts: InsertTexts
  readonly #beginning: string
  #begin: Promise<void> = Promise.resolve()
  #begun = false
  /** A write was asked for before BEGIN was answered: it waits, and whatever comes after it stays behind it. */
  #held = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: pg.ClientBase, { texts, inserts, begin }: TxOptions) {
    super()
    this.#client = client
    this.#texts = texts
    this.#inserts = inserts
    this.#beginning = begin
  }

  async all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]> {
    return (await this.#query(sql, params)).rows as Row[]
  }

  async get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0] as Row | undefined
  }

  async run(sql: string, params?: readonly Param[]): Promise<{ changes: number }> {
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
      const cells = rowsAsColumns(columns, rows)
      const values = cells.map(arrayText)
      if (options?.conflictsAreRare && (await this.#insertAllNew(table, columns, values)))
        return pick(columns, cells, options.returning ?? []) as Row[]
      const { text, name } = this.#texts.get(this.#inserts.get(table, columns, options))
      return (await this.#send({ text, name, values })).rows as Row[]
    } catch (error) {
      throw this.fail(error)
    }
  }

  /**
   * Inserts in a savepoint, as if no row were there yet; false when one was, and then nothing is inserted. Looking for
   * conflicts row by row (ON CONFLICT) takes Postgres a fifth longer, and a batch that comes twice is rare.
   */
  async #insertAllNew(table: string, columns: readonly ColumnSpec[], values: readonly string[]): Promise<boolean> {
    const { text, name } = this.#texts.get(this.#inserts.get(table, columns))
    const sent = [
      this.#send({ text: 'SAVEPOINT before_insert' }),
      this.#send({ text, name, values: [...values] }),
      this.#send({ text: 'RELEASE before_insert' }),
    ]
    const failed = (await Promise.allSettled(sent)).find((result) => result.status === 'rejected')
    if (failed === undefined) return true
    if (!(mapDatabaseError(failed.reason) instanceof UniqueViolation)) throw failed.reason
    await this.#send({ text: 'ROLLBACK TO before_insert' })
    return false
  }

  /** Sends BEGIN and opens the transaction; the answer is waited for with the first statement. */
  begin(): void {
    this.open = true
    this.#begin = this.#client.query(this.#beginning).then(() => {
      this.#begun = true
    })
    this.#begin.catch((error: unknown) => this.fail(error))
  }

  /** Resolves when no statement is on its way, so that COMMIT or ROLLBACK comes after the last of them. */
  async settled(): Promise<void> {
    await this.#begin.catch(() => undefined)
    await this.#last
  }

  async #query(sql: string, params: readonly Param[] | undefined): Promise<pg.QueryResult> {
    const refusal = this.refusal()
    if (refusal !== undefined) throw refusal
    try {
      return await this.#send(queryFor(this.#texts, sql, params))
    } catch (error) {
      throw this.fail(error)
    }
  }

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    // A write behind a BEGIN that failed would be a transaction of its own, and stay.
    if (!this.#begun && !isSelect.test(query.text)) this.#held = true
    const send = () => this.#client.query(query)
    const sent = this.#held ? this.#begin.then(send) : send()
    this.#last = sent.catch(() => undefined)
    return sent
  }
}
