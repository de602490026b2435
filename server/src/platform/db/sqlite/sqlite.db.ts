import { AsyncLocalStorage } from 'node:async_hooks'
import { availableParallelism } from 'node:os'
import Database from 'better-sqlite3'
import type { MigratableDb } from '../dialect.ts'
import { mapDatabaseError, TransactionMisuse } from '../errors.ts'
import { LocalWakes } from '../local-wakes.ts'
import type { Tx } from '../types.ts'
import { Checkpointer, type CheckpointOptions } from './sqlite.checkpoint.ts'
import { SqliteConnection, SqliteReader, threadReader } from './sqlite.connection.ts'
import { SqliteDialect } from './sqlite.dialect.ts'
import { GroupCommit } from './sqlite.group.ts'
import { type ReaderOptions, SqliteReaders } from './sqlite.readers.ts'
import { SqliteTx, sqliteInserts } from './sqlite.tx.ts'
import { openWriter, type WriterOptions } from './sqlite.writer.ts'

export interface SqliteOptions extends WriterOptions {
  /** After this many milliseconds a transaction that awaits something foreign is rolled back and refused. */
  readonly stallMs?: number
  /** Is told how many transactions shared a COMMIT, after each. */
  readonly onGroup?: (size: number) => void
  /** Milliseconds, for measuring what work and commit take; the process's own clock unless told. */
  readonly now?: () => number
  /** How often the log is copied into the database file. */
  readonly checkpoint?: Omit<CheckpointOptions, 'onFailure'>
  /** One thread for each core but one, and two on two cores, unless told. */
  readonly readers?: Partial<ReaderOptions>
  /** At most this many transactions share a COMMIT: 1 is for measuring what sharing is worth. */
  readonly groupLimit?: number
}

interface Writing {
  readonly writer: SqliteConnection
  readonly group: GroupCommit
  readonly isClosed: () => boolean
}

/** The way to write, which goes through the group. */
const makeTransact = ({ writer, group, isClosed }: Writing) => {
  const inserts = sqliteInserts()
  const current = new AsyncLocalStorage<SqliteTx>()

  const transact = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (current.getStore()?.open) {
      return Promise.reject(new TransactionMisuse('transact inside transact: it would wait for itself for ever'))
    }
    if (isClosed()) return Promise.reject(new Error('the database is closed'))
    const tx = new SqliteTx(writer, inserts)
    // The group runs in whatever context scheduled it; the work belongs to the context of its own caller, which a promise
    // keeps for what waits on it at a fraction of what a snapshot costs.
    const turn = Promise.withResolvers<void>()
    const done = current.run(tx, () => turn.promise.then(() => work(tx)))
    return new Promise<T>((resolve, reject) => {
      const run = () => {
        turn.resolve()
        return done
      }
      group.add({ tx, run, resolve: resolve as (value: unknown) => void, reject, outcome: undefined })
    })
  }

  return { transact, inTransaction: () => current.getStore()?.open === true }
}

/** With one alone, a long read of one organisation would hold up those of all others. */
const readersFor = (cores: number): number => Math.max(Math.min(cores, 2), cores - 1)

/** Where it cannot checkpoint, the writer does it within its commits again. */
const openCheckpointer = ({ file, checkpoint }: SqliteOptions, writer: SqliteConnection): Checkpointer =>
  new Checkpointer(file, {
    ...checkpoint,
    onFailure: (error) => {
      process.emitWarning(error, 'CheckpointFailed')
      writer.database.pragma('wal_autocheckpoint = 8000')
    },
  })

/**
 * Opens (and creates) a SQLite database: one writer with group commit, one read-only connection for `reader`, and threads
 * with one each for `longReader`.
 */
export const openSqlite = (options: SqliteOptions): MigratableDb => {
  const writer = new SqliteConnection(openWriter(options))
  const readonly = new SqliteConnection(
    new Database(options.file, { readonly: true, timeout: options.busyTimeoutMs ?? 5_000 }),
  )
  const checkpointer = openCheckpointer(options, writer)
  const readers = new SqliteReaders(options.file, {
    threads: readersFor(availableParallelism()),
    ...options.readers,
  })
  const group = new GroupCommit(writer.database, {
    stallMs: options.stallMs ?? 10_000,
    limit: options.groupLimit,
    now: options.now ?? (() => performance.now()),
    onGroup: (size) => {
      checkpointer.committed()
      options.onGroup?.(size)
    },
  })
  const wakes = new LocalWakes()
  let closed: Promise<void> | undefined
  const writing = makeTransact({ writer, group, isClosed: () => closed !== undefined })

  const close = async (): Promise<void> => {
    await group.idle()
    await readers.close()
    await checkpointer.close()
    wakes.close()
    readonly.database.close()
    writer.database.close()
  }

  return {
    dialect: new SqliteDialect(),
    reader: new SqliteReader(readonly),
    longReader: (owner, onSpent) => threadReader(readers, owner, onSpent),
    sharesCommits: true,
    servesMany: false,
    ...writing,
    ping: async () => {
      try {
        readonly.get('SELECT count(*) FROM sqlite_schema', undefined)
        writer.get('PRAGMA schema_version', undefined)
      } catch (error) {
        throw mapDatabaseError(error)
      }
    },
    scrub: async () => {
      if (!(await checkpointer.empty())) throw new Error('the write-ahead log is being read and could not be emptied')
    },
    notify: (channel) => wakes.notify(channel),
    listen: (channel, onWake) => wakes.listen(channel, onWake),
    hearsOthers: () => true,
    close: () => {
      closed ??= close()
      return closed
    },
  }
}
