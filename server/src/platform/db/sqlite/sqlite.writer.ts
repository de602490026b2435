import Database from 'better-sqlite3'

export interface WriterOptions {
  /** The database file; its directory must exist. */
  readonly file: string
  /** How long, in milliseconds, BEGIN waits for another process's transaction. */
  readonly busyTimeoutMs?: number
  /** Is told every statement the writer runs, with its values: for tests that count commits. */
  readonly trace?: (sql: string) => void
}

/** A connection that writes, with what makes an acknowledged commit durable. */
export const openWriter = ({ file, busyTimeoutMs = 5_000, trace }: WriterOptions): Database.Database => {
  const writer = new Database(file, {
    timeout: busyTimeoutMs,
    ...(trace && { verbose: (sql: unknown) => trace(String(sql)) }),
  })
  writer.pragma('journal_mode = WAL')
  // better-sqlite3 compiles WAL with NORMAL, which loses acknowledged commits when the power goes.
  writer.pragma('synchronous = FULL')
  writer.pragma('foreign_keys = ON')
  // A thread of its own does it; this is for when that one cannot keep up.
  writer.pragma('wal_autocheckpoint = 131072')
  writer.pragma('cache_size = -32768')
  // What is deleted is overwritten with zeros: an erasure must not leave words or keys in free pages.
  writer.pragma('secure_delete = ON')
  // Otherwise INSERT OR REPLACE would delete a row without its DELETE trigger: append-only tables rely on it.
  writer.pragma('recursive_triggers = ON')
  return writer
}
