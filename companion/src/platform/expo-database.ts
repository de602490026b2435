import { openDatabaseAsync, type SQLiteDatabase } from 'expo-sqlite'
import type { SqlDatabase, SqlValue } from './queue.sql.ts'

/** The code of SQLITE_FULL (https://sqlite.org/rescode.html#full), as expo-sqlite puts it before the words of SQLite. */
const fullCode = /\bError code 13\b/

/** The database of the phone as the queue needs it. */
export const openExpoDatabase = async (name = 'companion.db'): Promise<SqlDatabase> => {
  const db: SQLiteDatabase = await openDatabaseAsync(name)
  await db.execAsync('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
  // The connection is shared, so transactions wait for each other here.
  let last: Promise<unknown> = Promise.resolve()
  return {
    run: async (sql, values) => void (await db.runAsync(sql, [...values])),
    all: <Row>(sql: string, values: readonly SqlValue[]) => db.getAllAsync<Row>(sql, [...values]),
    transaction(work) {
      const mine = last.then(() => db.withTransactionAsync(work))
      last = mine.catch(() => undefined)
      return mine
    },
    // expo-sqlite has no other place for SQLite's code than its message.
    isFull: (error) => error instanceof Error && fullCode.test(error.message),
  }
}
