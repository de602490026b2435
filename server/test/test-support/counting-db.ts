import Database from 'better-sqlite3'
import type { MigratableDb } from '../../src/platform/db/dialect.ts'
import type { Reader } from '../../src/platform/db/types.ts'

export interface CountedRead {
  readonly sql: string
  /** Rows of tables that were looked at, those that a condition then refused among them. */
  readonly visited: number
}

/**
 * A database on SQLite whose long reads are counted: SQLite asks a function that may change its mind for every row that
 * an index leaves, before any other condition.
 */
export const countVisits = (db: MigratableDb, file: string) => {
  const database = new Database(file, { readonly: true })
  let visited = 0
  database.function('visited', { deterministic: false }, () => {
    visited += 1
    return 1
  })
  let reads: CountedRead[] = []
  const all = <Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> => {
    visited = 0
    const rows = database.prepare(sql.replaceAll(/\bWHERE\b/g, 'WHERE visited() AND')).all(params) as Row[]
    reads.push({ sql, visited })
    return Promise.resolve(rows)
  }
  const reader: Reader = {
    all,
    get: async <Row>(sql: string, params?: readonly unknown[]) => (await all<Row>(sql, params))[0],
  }
  return {
    db: { ...db, longReader: () => reader } satisfies MigratableDb,
    /** What was read since the last time. */
    take: (): readonly CountedRead[] => {
      const taken = reads
      reads = []
      return taken
    },
    close: async (): Promise<void> => {
      database.close()
      await db.close()
    },
  }
}
