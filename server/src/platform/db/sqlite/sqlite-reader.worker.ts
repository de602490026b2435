import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import type { Digest, Param } from '../types.ts'
import { SqliteConnection } from './sqlite.connection.ts'
import type { ReadAnswer, ReadJob } from './sqlite.readers.ts'

/** Run by `sqlite.readers.ts` as a thread of its own: one statement or digest for each message. */
const connection = new SqliteConnection(new Database(workerData as string, { readonly: true, timeout: 5_000 }))

const all = <Row>(sql: string, params: readonly Param[]) => connection.all(sql, params) as Row[]

const rowsOf = async (job: ReadJob): Promise<unknown[]> => {
  if ('sql' in job) return connection.all(job.sql, job.params)
  const { digest } = (await import(job.module)) as { digest: Digest<unknown, unknown> }
  return [digest(all, job.input)]
}

const read = async (job: ReadJob): Promise<ReadAnswer> => {
  const started = performance.now()
  try {
    const rows = await rowsOf(job)
    return { rows, ms: performance.now() - started }
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return { failure: { message, code }, ms: performance.now() - started }
  }
}

parentPort?.on('message', (job: ReadJob | 'close') => {
  if (job !== 'close') return void read(job).then((answer) => parentPort?.postMessage(answer))
  connection.database.close()
  parentPort?.close()
})
