import { parentPort, workerData } from 'node:worker_threads'
import { SqliteConnection } from './sqlite.connection.ts'
import type { ListedWrite } from './sqlite.list.ts'
import type { ListOutcome } from './sqlite.list-thread.ts'
import { openWriter, type WriterOptions } from './sqlite.writer.ts'

/** Run by `sqlite.list-thread.ts` as a thread of its own: one transaction for each list it is sent. */

const database = openWriter(workerData as WriterOptions)
const connection = new SqliteConnection(database)
const begin = database.prepare('BEGIN IMMEDIATE')
const commit = database.prepare('COMMIT')
const rollback = database.prepare('ROLLBACK')

/** Of what went wrong; whatever of it was written is undone. */
const outcomeOf = (outcome: ListOutcome['outcome'], error: unknown): ListOutcome => {
  if (database.inTransaction) rollback.run()
  const { message, code } = error as Error & { code?: string }
  return { outcome, message, ...(code !== undefined && { code }) }
}

const carryOut = (writes: readonly ListedWrite[]): ListOutcome => {
  try {
    begin.run()
    for (const { sql, rows } of writes) {
      const statement = connection.prepare(sql)
      for (const row of rows) if (statement.run(row).changes !== 1) throw new Error(`not one row: ${sql}`)
    }
  } catch (error) {
    return outcomeOf('undone', error)
  }
  try {
    commit.run()
    return { outcome: 'committed' }
  } catch (error) {
    return outcomeOf('failed', error)
  }
}

parentPort?.on('message', (message: readonly ListedWrite[] | 'close') => {
  if (message !== 'close') return parentPort?.postMessage(carryOut(message))
  database.close()
  parentPort?.close()
})
parentPort?.postMessage('ready')
