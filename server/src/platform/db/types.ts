import type { ReplicaLook } from './postgres/replica.types.ts'

/** What a bound parameter may be. Booleans are stored as 0 / 1, times as epoch milliseconds, JSON as text. */
export type Param = string | number | bigint | Uint8Array | null

/**
 * Reads. SQL has `?` placeholders and is of the subset that SQLite and Postgres share. Rows come back with plain column names; integers of any width, sums and averages as numbers,
 * conditions as 0 / 1, bytes as Buffer. A parameter that is `undefined`, a Date or not finite is a TypeError.
 */
export interface Reader {
  all<Row>(sql: string, params?: readonly Param[]): Promise<Row[]>
  get<Row>(sql: string, params?: readonly Param[]): Promise<Row | undefined>
  /**
   * What the `digest` of a module makes of the rows that it reads, in the thread that reads them, so that the rows need not
   * travel. Absent where they are read in this thread, or by a server of their own.
   */
  digest?<Result>(module: URL, input: unknown): Promise<Result>
}

/** Exported by a module under this name, see `Reader.digest`. Input and result are copied. */
export type Digest<Input, Result> = (all: <Row>(sql: string, params: readonly Param[]) => Row[], input: Input) => Result

/** A second address of the database, which follows the first one and is read only. */
export interface Replica {
  /**
   * Reads of one request, made for each: they see everything that was committed when the first of them was asked for, by whomever.
   * What the replica cannot answer, the primary does.
   */
  reader(): Reader
  /** Rejects where it does not answer or is none. */
  look(): Promise<ReplicaLook>
  close(): Promise<void>
}

/**
 * An open transaction. Only `db.transact` makes one, and every write needs one.
 * Nothing but statements may be awaited while it is open: no network, no file, no password hashing.
 * A statement that failed has failed the whole transaction, on both engines and even if its error is caught:
 * catch a `UniqueViolation` around `transact`, not inside it. Once `work` has settled, the Tx refuses everything.
 */
export interface Tx extends Reader {
  /** Runs a write; `changes` is the number of rows it touched. */
  run(sql: string, params?: readonly Param[]): Promise<{ changes: number }>
  /**
   * Inserts many rows with a statement whose text does not depend on their number
   * (Postgres: `unnest`; SQLite runs one prepared insert for each row, in the same turn).
   * Returns the values of `returning` for the rows that were really inserted, in the order of `rows`.
   * Bytes are refused; a number for a `text` column is written as its decimal digits.
   */
  insertMany<Row = never>(
    table: string,
    columns: readonly ColumnSpec[],
    rows: readonly (readonly Param[])[],
    options?: InsertManyOptions,
  ): Promise<Row[]>
  /** Called once after the group's COMMIT succeeded; never after a rollback. For wake-ups only. */
  afterCommit(callback: () => void): void
  /** ` FOR UPDATE` on Postgres, nothing on SQLite (its writer is alone anyway). Append it to a SELECT. */
  readonly forUpdate: string
  /** ` FOR UPDATE SKIP LOCKED` on Postgres, nothing on SQLite. */
  readonly forUpdateSkipLocked: string
  /**
   * True where WITH takes statements that change rows and several clients write at once (Postgres): there one statement that
   * locks, compares and writes holds a lock for one round trip instead of three.
   */
  readonly changesInWith: boolean
}

export interface InsertManyOptions {
  /** Rows that are there already, by these columns, are left out. */
  readonly skipConflictsOn?: readonly string[]
  /** Rows are nearly always new: Postgres inserts them without looking first, and again with looking when one was not. */
  readonly conflictsAreRare?: boolean
  /**
   * A row that is there already is changed instead: `set` is SQL of both engines, in which `excluded` is the new row.
   * No key may come twice.
   */
  readonly upsert?: { readonly on: readonly string[]; readonly set: string }
  /** Columns that are inserted. */
  readonly returning?: readonly string[]
}

/** The column's name and the type Postgres needs to be told in `unnest`. */
export interface ColumnSpec {
  readonly name: string
  readonly type: 'text' | 'bigint' | 'integer' | 'double precision'
}

export interface TransactionBounds {
  /**
   * How long a statement waits for a lock that somebody else holds, where writers run side by side (Postgres): then it is
   * `DatabaseBusy`. Milliseconds; as long as a statement may take unless told.
   */
  readonly lockMs?: number | undefined
}

export interface Db {
  /** Reads on a read-only connection (SQLite) or from the pool (Postgres); sees only committed rows. */
  readonly reader: Reader
  /**
   * The same for reads that may be long: on SQLite in threads of their own, where owners have their turn one after the
   * other; a read of few rows by their key is cheaper without. `onSpent` is told the milliseconds that each statement took.
   */
  longReader(owner: string, onSpent: (ms: number) => void): Reader
  /** Where lists and reports may be read instead; absent where none is configured. */
  readonly replica?: Replica | undefined
  /**
   * Runs `work` in a transaction; its result arrives after the commit is durable. Rejects with `CommitFailed` when nobody
   * can tell whether it is; with anything else when nothing of it stayed.
   * On SQLite, transactions that wait at the same time share one BEGIN … COMMIT (group commit), each in its own
   * savepoint: one that throws is rolled back alone. On Postgres a serialisation failure or deadlock is retried,
   * so `work` must have no effect outside the transaction. A call inside another `transact` is refused.
   */
  transact<T>(work: (tx: Tx) => Promise<T>, bounds?: TransactionBounds): Promise<T>
  /** Whether transactions that wait at the same time share a commit (SQLite), instead of running side by side. */
  readonly sharesCommits: boolean
  /** Whether several processes may serve on it (Postgres), which then have to know some things together. */
  readonly servesMany: boolean
  /** True while the calling async context is inside `transact`. The HTTP client refuses to run then. */
  readonly inTransaction: () => boolean
  /** A cheap round trip, for readiness. Throws if the database cannot be used. */
  ping(): Promise<void>
  /** Wakes other processes' listeners after a commit (Postgres NOTIFY, outside the write transaction; SQLite: this process only). */
  notify(channel: string): void
  /**
   * Called on a wake-up from this or another process, and whenever one may have been missed (the listener has just
   * become ready, or has reconnected). Returns the unsubscribe function.
   */
  listen(channel: string, onWake: () => void): () => void
  /** False while wake-ups of other processes cannot be heard (Postgres), and what they tell of is found by looking. */
  readonly hearsOthers: () => boolean
  /** Waits for running transactions, then closes every connection. */
  close(): Promise<void>
}

/** Thrown for a broken UNIQUE constraint on either engine; `constraint` holds the engine's own words. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
  readonly constraint: string
  constructor(constraint: string, cause: unknown) {
    super(`unique constraint: ${constraint}`, { cause })
    this.constraint = constraint
  }
}
