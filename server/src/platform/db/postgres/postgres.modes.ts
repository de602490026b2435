import type pg from 'pg'

/** Milliseconds after which the server ends a statement, and a transaction in which nothing happens. */
export interface Bounds {
  readonly statementMs: number
  readonly stallMs: number
}

/** How connections are bounded, which depends on whose they are. */
export interface ConnectionMode {
  /** Of the pool for transactions, on each new connection. */
  readonly onWriter: ((client: pg.ClientBase) => Promise<unknown>) | undefined
  /** Of the pool for reads. */
  readonly onReader: ((client: pg.ClientBase) => Promise<unknown>) | undefined
  readonly begin: string
  /** How a read's transaction begins; absent where a statement by itself is bounded already. */
  readonly beginRead: string | undefined
  /** Whether the server keeps plans by their name. */
  readonly namesPlans: boolean
}

const beginning = 'BEGIN ISOLATION LEVEL READ COMMITTED'

/** Begins a transaction that reads and is bounded by itself, whosever the connection is. */
export const boundedRead = ({ statementMs }: Pick<Bounds, 'statementMs'>): string =>
  `${beginning} READ ONLY; SET LOCAL statement_timeout = ${Math.trunc(statementMs)}`

/** Each connection is a session of the server for as long as it lives: what was set and prepared in it stays. */
export const ownSessions = ({ statementMs, stallMs }: Bounds): ConnectionMode => {
  // Statements, not start-up parameters: connection poolers refuse those.
  const bound = `SET statement_timeout = ${Math.trunc(statementMs)}`
  return {
    onWriter: (client) => client.query(`${bound}; SET idle_in_transaction_session_timeout = ${Math.trunc(stallMs)}`),
    onReader: (client) => client.query(`${bound}; SET default_transaction_read_only = on`),
    begin: beginning,
    beginRead: undefined,
    namesPlans: true,
  }
}

/**
 * A pooler gives each transaction any session that is free (PgBouncer, `pool_mode = transaction`): what one sets, others have,
 * and a plan that one prepared, another does not find. So each transaction sets for itself what it needs, and no plan has a name.
 */
export const pooledTransactions = ({ statementMs, stallMs }: Bounds): ConnectionMode => ({
  onWriter: undefined,
  onReader: undefined,
  begin: `${beginning}; SET LOCAL statement_timeout = ${Math.trunc(statementMs)}; SET LOCAL idle_in_transaction_session_timeout = ${Math.trunc(stallMs)}`,
  beginRead: boundedRead({ statementMs }),
  namesPlans: false,
})
