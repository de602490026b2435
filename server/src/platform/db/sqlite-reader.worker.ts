import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { SqliteConnection } from './sqlite.connection.ts'
import type { ReadAnswer, ReadJob } from './sqlite.readers.ts'

/** Run by `sqlite.readers.ts` as a thread of its own: one statement for each message. */
const connection = new SqliteConnection(new Database(workerData as string, { readonly: true, timeout: 5_000 }))

const read = ({ sql, params }: ReadJob): ReadAnswer => {
  const started = performance.now()
  try {
    const rows = connection.all(sql, params)
    return { rows, ms: performance.now() - started }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { failure: { message, code }, ms: performance.now() - started }
  }
}

parentPort?.on('message', (job: ReadJob | 'close') => {
  if (job !== 'close') return parentPort?.postMessage(read(job))
  connection.database.close()
  parentPort?.close()
})
