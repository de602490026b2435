import pg from 'pg'
import type { Pulse } from '../../pulse.ts'
import { cutConnection } from './postgres.pulse.ts'
import { resultTypes } from './postgres.types.ts'

/** How long a connection may take to open, or a free one to be had. Of a silent server callers hear earlier, by the pulse. */
const connectMs = 10_000

export interface PoolOptions {
  readonly connectionString: string
  readonly max: number
  /** Run on each new connection before anybody has it; one on which it fails is given to nobody. */
  readonly onConnect?: ((client: pg.ClientBase) => Promise<unknown>) | undefined
}

export const openPool = ({ connectionString, max, onConnect }: PoolOptions): pg.Pool => {
  const made = async (client: pg.ClientBase): Promise<void> => {
    // The pool listens on idle connections only; one that breaks while in use fails its statement, and that is enough.
    client.on('error', () => undefined)
    await onConnect?.(client)
  }
  const pool = new pg.Pool({
    connectionString,
    max,
    types: resultTypes,
    // What one transaction asks for at once travels together.
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    // Prepared plans pile up on a connection that lives forever.
    maxLifetimeSeconds: 3_600,
    // The pool waits for the promise; its type does not say so.
    onConnect: made as (client: pg.ClientBase) => void,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

/** A connection of the pool that can be cut. */
export const connected = async (pool: pg.Pool, onBreak: (breakOff: () => void) => void): Promise<pg.PoolClient> => {
  const client = await pool.connect()
  try {
    onBreak(() => cutConnection(client))
    return client
  } catch (error) {
    client.release(true)
    throw error
  }
}

/** What is done on a connection of the pool; one on which it failed is not given to anybody else. */
export const onConnection = <T>(pool: pg.Pool, pulse: Pulse, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  pulse.during(async ({ onBreak }) => {
    const client = await connected(pool, onBreak)
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(error as Error)
      throw error
    }
  })

/** One statement in a transaction that begins as told: all three travel together. */
export const queryWithin = async (
  client: pg.ClientBase,
  begin: string,
  query: string | pg.QueryConfig,
): Promise<pg.QueryResult> => {
  const [begun, result, ended] = await Promise.allSettled([
    client.query(begin),
    client.query(query as pg.QueryConfig),
    client.query('COMMIT'),
  ])
  if (begun.status === 'rejected') throw begun.reason
  if (result.status === 'rejected') throw result.reason
  if (ended.status === 'rejected') throw ended.reason
  return result.value
}
