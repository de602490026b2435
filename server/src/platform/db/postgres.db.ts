import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Pulse } from '../pulse.ts'
import type { MigratableDb } from './dialect.ts'
import { isConflict, isStalePlan, mapCommitError, mapDatabaseError, TransactionMisuse } from './errors.ts'
import { InsertTexts, postgresInsertText } from './insert-many.ts'
import { PostgresDialect } from './postgres.dialect.ts'
import { cutConnection, postgresPulse } from './postgres.pulse.ts'
import { PostgresTexts } from './postgres.text.ts'
import { PostgresTx, queryFor } from './postgres.tx.ts'
import { resultTypes } from './postgres.types.ts'
import { PostgresWakes } from './postgres.wakes.ts'
import { timedReader } from './timed-reader.ts'
import type { Param, Reader, Tx } from './types.ts'

export interface PostgresOptions {
  readonly connectionString: string
  /** Connections of this process: half for transactions, half for reads, and one more while it listens. */
  readonly max?: number
  /** After this many milliseconds without a statement an open transaction is ended by the server. */
  readonly stallMs?: number
  /** After this many milliseconds the server ends a statement; migrations and what writes tables again are excepted. */
  readonly statementMs?: number
}

const attempts = 3
const usualStatementMs = 60_000
/** How long a connection may take to open, or a free one to be had. Of a silent server callers hear earlier, by the pulse. */
const connectMs = 10_000

const openPool = (options: PostgresOptions, max: number, setup: string): pg.Pool => {
  const onConnect = async (client: pg.ClientBase): Promise<void> => {
    // The pool listens on idle connections only; one that breaks while in use fails its statement, and that is enough.
    client.on('error', () => undefined)
    // A statement, not a start-up parameter: connection poolers refuse those.
    await client.query(setup)
  }
  const pool = new pg.Pool({
    connectionString: options.connectionString,
    max,
    types: resultTypes,
    // What one transaction asks for at once travels together.
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    // Prepared plans pile up on a connection that lives forever.
    maxLifetimeSeconds: 3_600,
    // The pool waits for the promise; its type does not say so.
    onConnect: onConnect as (client: pg.ClientBase) => void,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** A connection of the pool that can be cut. */
const connected = async (pool: pg.Pool, onBreak: (breakOff: () => void) => void): Promise<pg.PoolClient> => {
  const client = await pool.connect()
  try {
    onBreak(() => cutConnection(client))
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** One statement on a connection of the pool; one that failed is not given to anybody else. */
const queryOf = (pool: pg.Pool, pulse: Pulse, query: string | pg.QueryConfig): Promise<pg.QueryResult> =>
  pulse.during(async ({ onBreak }) => {
    const client = await connected(pool, onBreak)
    try {
      const result = await client.query(query)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  })

class PostgresReader implements Reader {
  readonly #pool: pg.Pool
  readonly #pulse: Pulse
  readonly #texts: PostgresTexts

  constructor(pool: pg.Pool, pulse: Pulse, texts: PostgresTexts) {
    this.#pool = pool
    this.#pulse = pulse
    this.#texts = texts
  }

  async all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]> {
    return (await this.#query(sql, params)).rows as Row[]
  }

  async get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0] as Row | undefined
  }

  async #query(sql: string, params: readonly Param[] | undefined): Promise<pg.QueryResult> {
    try {
      return await queryOf(this.#pool, this.#pulse, queryFor(this.#texts, sql, params))
    } catch (error) {
      if (!isStalePlan(error)) throw mapDatabaseError(error)
      this.#texts.forgetPlans()
      return await queryOf(this.#pool, this.#pulse, queryFor(this.#texts, sql, params))
    }
  }
}

/** One attempt. Resolves only after the server has confirmed COMMIT. */
const attempt = async <T>(
  client: pg.PoolClient,
  tx: PostgresTx,
  current: AsyncLocalStorage<PostgresTx>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => {
  try {
    tx.begin()
    const value = await current.run(tx, async () => work(tx))
    tx.open = false
    await tx.settled()
    if (tx.failure !== undefined) throw tx.failure
    const { command } = await client.query('COMMIT').catch((error: unknown) => {
      throw mapCommitError(error)
    })
    // Postgres answers a COMMIT of a failed transaction with a ROLLBACK and no error.
    if (command !== 'COMMIT') throw new TransactionMisuse('the transaction had failed and was rolled back')
    client.release()
    return value
  } catch (error) {
    tx.open = false
    await tx.settled()
    // A connection that cannot roll back is not given to anybody else.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw mapDatabaseError(error)
  }
}

const shouldRetry = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return isConflict(cause) || isStalePlan(error)
}

/** Tables without their dead rows. Whoever waits behind one waits no longer than the timeout of this. */
const writeAnew = (pool: pg.Pool, pulse: Pulse, tables: readonly string[]): Promise<void> =>
  pulse.during(async ({ onBreak }) => {
    const client = await connected(pool, onBreak)
    try {
      await client.query('SET lock_timeout = 2000; SET statement_timeout = 0')
      for (const table of tables) await client.query(`VACUUM (FULL) ${table}`)
    } finally {
      // With its own bounds gone it is not given back.
      client.release(true)
    }
  })

interface Writing {
  readonly writers: pg.Pool
  readonly pulse: Pulse
  readonly texts: PostgresTexts
  readonly isClosed: () => boolean
}

/** Transactions on a pool, those tried again that met a conflict. */
const makeTransact = ({ writers, pulse, texts, isClosed }: Writing) => {
  const inserts = new InsertTexts(postgresInsertText)
  const current = new AsyncLocalStorage<PostgresTx>()
  const running = new Set<Promise<void>>()

  const runAttempts = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      let tx: PostgresTx | undefined
      try {
        const value = await pulse.during(async ({ onBreak }) => {
          const client = await connected(writers, onBreak).catch((error: unknown) => {
            throw mapDatabaseError(error)
          })
          tx = new PostgresTx(client, texts, inserts)
          return attempt(client, tx, current, work)
        })
        tx?.runCallbacks()
        return value
      } catch (error) {
        // Whatever the work made of it, the statement that failed decides whether to try again.
        const reason = tx?.failure ?? error
        if (tries === attempts || !shouldRetry(reason)) throw error
        if (isStalePlan(reason)) texts.forgetPlans()
        // Those who collided must not collide again at the same instant.
        await delay(randomInt(5, 25 * tries))
      }
    }
  }

  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (current.getStore()?.open) {
      return Promise.reject(new TransactionMisuse('transact inside transact: it could wait for itself for ever'))
    }
    if (isClosed()) return Promise.reject(new Error('the database is closed'))
    const result = runAttempts(work)
    const tracked: Promise<void> = result.then(forget, forget)
    function forget(): void {
      running.delete(tracked)
    }
    running.add(tracked)
    return result
  }

  return {
    transact,
    inTransaction: () => current.getStore()?.open === true,
    /** Resolves when none is running. */
    settled: () => Promise.all(running),
  }
}

/** Opens Postgres: one pool for transactions and a read-only one for `reader`, so that neither waits for the other. */
export const openPostgres = (options: PostgresOptions): MigratableDb => {
  const half = Math.max(1, Math.floor((options.max ?? 16) / 2))
  const bound = `SET statement_timeout = ${Math.trunc(options.statementMs ?? usualStatementMs)}`
  const stall = `SET idle_in_transaction_session_timeout = ${Math.trunc(options.stallMs ?? 10_000)}`
  const writers = openPool(options, half, `${bound}; ${stall}`)
  const readers = openPool(options, half, `${bound}; SET default_transaction_read_only = on`)
  const pulse = postgresPulse({ connectionString: options.connectionString })
  const texts = new PostgresTexts()
  const reader = new PostgresReader(readers, pulse, texts)
  const wakes = new PostgresWakes({ connectionString: options.connectionString }, (channel) =>
    queryOf(writers, pulse, { text: 'SELECT pg_notify($1, $2)', values: [channel, ''] }),
  )
  let closed: Promise<void> | undefined
  const { transact, inTransaction, settled } = makeTransact({
    ...{ writers, pulse, texts },
    isClosed: () => closed !== undefined,
  })

  const close = async (): Promise<void> => {
    await settled()
    pulse.close()
    await wakes.close()
    await Promise.all([writers.end(), readers.end()])
  }

  return {
    dialect: new PostgresDialect(),
    reader,
    longReader: (_owner, onSpent) => timedReader(reader, onSpent),
    sharesCommits: false,
    servesMany: true,
    transact,
    inTransaction,
    ping: async () => {
      await Promise.all([queryOf(readers, pulse, 'SELECT 1'), queryOf(writers, pulse, 'SELECT 1')]).catch(
        (error: unknown) => {
          throw mapDatabaseError(error)
        },
      )
    },
    scrub: (tables) => writeAnew(writers, pulse, tables),
    notify: (channel) => wakes.notify(channel),
    listen: (channel, onWake) => wakes.listen(channel, onWake),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
