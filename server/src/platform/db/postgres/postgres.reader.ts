import type pg from 'pg'
import type { Pulse } from '../../pulse.ts'
import { isStalePlan, mapDatabaseError } from '../errors.ts'
import type { Param, Reader } from '../types.ts'
import { onConnection, queryWithin } from './postgres.pool.ts'
import type { PostgresTexts } from './postgres.text.ts'
import { queryFor } from './postgres.tx.ts'

export interface ReaderOptions {
  readonly pool: pg.Pool
  readonly pulse: Pulse
  readonly texts: PostgresTexts
  /** How the transaction of a read begins; absent: it has none. */
  readonly beginRead: string | undefined
}

/** Reads from a pool, each on whichever connection is free. */
export class PostgresReader implements Reader {
  readonly #options: ReaderOptions

  constructor(options: ReaderOptions) {
    this.#options = options
  }

  async all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]> {
    return (await this.query(sql, params)).rows as Row[]
  }

  async get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    return (await this.query(sql, params)).rows[0] as Row | undefined
  }

  async query(sql: string, params: readonly Param[] | undefined): Promise<pg.QueryResult> {
    const { texts } = this.#options
    try {
      return await this.#send(queryFor(texts, sql, params))
    } catch (error) {
      if (!isStalePlan(error)) throw mapDatabaseError(error)
      texts.forgetPlans()
      return await this.#send(queryFor(texts, sql, params))
    }
  }

  /**
   * While a read waits for another server, this one is asked whether it lives as if that waited for it: where both are silent,
   * whoever turns from one to the other does not wait for both, one after the other.
   */
  watchDuring(work: Promise<unknown>): void {
    this.#options.pulse.during(() => work).catch(() => undefined)
  }

  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { pool, pulse, beginRead } = this.#options
    return onConnection(pool, pulse, (client) =>
      beginRead === undefined ? client.query(query) : queryWithin(client, beginRead, query),
    )
  }
}
