import { AsyncLocalStorage } from 'node:async_hooks'
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Pulse } from '../../pulse.ts'
import type { MigratableDb } from '../dialect.ts'
import { isConflict, isStalePlan, mapCommitError, mapDatabaseError, TransactionMisuse } from '../errors.ts'
import { InsertTexts, postgresInsertText } from '../insert-many.ts'
import { timedReader } from '../timed-reader.ts'
import type { TransactionBounds, Tx } from '../types.ts'
import { PostgresDialect } from './postgres.dialect.ts'
import { ownSessions, pooledTransactions } from './postgres.modes.ts'
import { connected, onConnection, openPool } from './postgres.pool.ts'
import { postgresPulse } from './postgres.pulse.ts'
import { PostgresReader } from './postgres.reader.ts'
import { openReplica } from './postgres.replica.ts'
import { scrubTables } from './postgres.scrub.ts'
import { PostgresTexts } from './postgres.text.ts'
import { PostgresTx } from './postgres.tx.ts'
import { PostgresWakes } from './postgres.wakes.ts'
import type { ReplicaOutcome } from './replica.types.ts'

export interface PostgresOptions {
  readonly connectionString: string
  /**
   * The server itself, where `connectionString` is a pooler that gives each transaction any session: for what needs a session of
   * its own, which is to listen and to write tables again.
   */
  readonly directString?: string | undefined
  /** A streaming replica, which lists and reports are read from. */
  readonly readString?: string | undefined
  /** Told of each statement that may be read from the replica. */
  readonly onReplicaRead?: ((outcome: ReplicaOutcome) => void) | undefined
  /** Told when other processes are not heard any more, with the reason, and when they are again. */
  readonly onWakes?: ((lost: Error | undefined) => void) | undefined
  /** Connections of this process: half for transactions, half for reads, and one more while it listens. */
  readonly max?: number
  /** After this many milliseconds without a statement an open transaction is ended by the server. */
  readonly stallMs?: number
  /** After this many milliseconds the server ends a statement; migrations and what writes tables again are excepted. */
  readonly statementMs?: number
}

const attempts = 3
const usualStatementMs = 60_000

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

interface Writing {
  readonly writers: pg.Pool
  readonly pulse: Pulse
  readonly texts: PostgresTexts
  readonly begin: string
  readonly isClosed: () => boolean
}

/** Transactions on a pool, those tried again that met a conflict. */
const makeTransact = ({ writers, pulse, texts, begin, isClosed }: Writing) => {
  const inserts = new InsertTexts(postgresInsertText)
  const current = new AsyncLocalStorage<PostgresTx>()
  const running = new Set<Promise<void>>()

  const runAttempts = async <T>(work: (tx: Tx) => Promise<T>, { lockMs }: TransactionBounds): Promise<T> => {
    const bounded = lockMs === undefined ? begin : `${begin}; SET LOCAL lock_timeout = ${Math.trunc(lockMs)}`
    for (let tries = 1; ; tries += 1) {
      let tx: PostgresTx | undefined
      try {
        const value = await pulse.during(async ({ onBreak }) => {
          const client = await connected(writers, onBreak).catch((error: unknown) => {
            throw mapDatabaseError(error)
          })
          tx = new PostgresTx(client, { texts, inserts, begin: bounded })
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

  const transact = <T>(work: (tx: Tx) => Promise<T>, bounds: TransactionBounds = {}): Promise<T> => {
    if (current.getStore()?.open) {
      return Promise.reject(new TransactionMisuse('transact inside transact: it could wait for itself for ever'))
    }
    if (isClosed()) return Promise.reject(new Error('the database is closed'))
    const result = runAttempts(work, bounds)
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

const openPools = (options: PostgresOptions) => {
  const { connectionString, directString } = options
  const max = Math.max(1, Math.floor((options.max ?? 16) / 2))
  const bounds = { statementMs: options.statementMs ?? usualStatementMs, stallMs: options.stallMs ?? 10_000 }
  const mode = directString === undefined ? ownSessions(bounds) : pooledTransactions(bounds)
  const writers = openPool({ connectionString, max, onConnect: mode.onWriter })
  const readers = openPool({ connectionString, max, onConnect: mode.onReader })
  const pulse = postgresPulse({ connectionString })
  const texts = new PostgresTexts({ namesPlans: mode.namesPlans })
  const reader = new PostgresReader({ pool: readers, pulse, texts, beginRead: mode.beginRead })
  const replica =
    options.readString === undefined
      ? undefined
      : openReplica({
          connectionString: options.readString,
          max,
          statementMs: bounds.statementMs,
          texts,
          primary: reader,
          onRead: (outcome) => options.onReplicaRead?.(outcome),
        })
  return { writers, readers, pulse, texts, reader, replica, begin: mode.begin }
}

/** Opens Postgres: one pool for transactions and a read-only one for `reader`, so that neither waits for the other. */
export const openPostgres = (options: PostgresOptions): MigratableDb => {
  const { writers, readers, pulse, texts, reader, replica, begin } = openPools(options)
  const direct = options.directString ?? options.connectionString
  const ask = (pool: pg.Pool, query: pg.QueryConfig) => onConnection(pool, pulse, (client) => client.query(query))
  const wakes = new PostgresWakes({
    connectionString: direct,
    send: (channel) => ask(writers, { text: 'SELECT pg_notify($1, $2)', values: [channel, ''] }),
    onChange: options.onWakes,
  })
  let closed: Promise<void> | undefined
  const { transact, inTransaction, settled } = makeTransact({
    writers,
    pulse,
    texts,
    begin,
    isClosed: () => closed !== undefined,
  })

  const close = async (): Promise<void> => {
    await settled()
    pulse.close()
    await wakes.close()
    await Promise.all([writers.end(), readers.end(), replica?.close()])
  }

  return {
    dialect: new PostgresDialect(),
    reader,
    longReader: (_owner, onSpent) => timedReader(reader, onSpent),
    replica,
    sharesCommits: false,
    servesMany: true,
    transact,
    inTransaction,
    ping: async () => {
      await Promise.all([readers, writers].map((pool) => ask(pool, { text: 'SELECT 1' }))).catch((error: unknown) => {
        throw mapDatabaseError(error)
      })
    },
    scrub: (tables) => scrubTables(direct, pulse, tables),
    notify: (channel) => wakes.notify(channel),
    listen: (channel, onWake) => wakes.listen(channel, onWake),
    hearsOthers: () => wakes.hears,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
