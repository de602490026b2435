import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { queueSuite } from '../../test/queue-suite.ts'
import { StorageFull } from '../session/queue.port.ts'
import { openSqlQueue, type SqlDatabase } from './queue.sql.ts'

/** The SQLite of Node in the place of the phone's. */
const sqlDatabase = (db: DatabaseSync): SqlDatabase => ({
  run: async (sql, values) => void db.prepare(sql).run(...values),
  all: async <Row>(sql: string, values: readonly (string | number | null | Uint8Array)[]) =>
    db.prepare(sql).all(...values) as Row[],
  async transaction(work) {
    db.exec('BEGIN IMMEDIATE')
    try {
      await work()
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  },
  // https://sqlite.org/rescode.html#full
  isFull: (error) => (error as { errcode?: number }).errcode === 13,
})

const opened = new Map<string, DatabaseSync>()
queueSuite('a phone', (name, limit) => {
  const db = opened.get(name) ?? new DatabaseSync(':memory:')
  opened.set(name, db)
  return openSqlQueue(sqlDatabase(db), limit)
})

describe('a storage that is full', () => {
  it('loses its oldest clips for what is new, and says so when there are none', async () => {
    const db = new DatabaseSync(':memory:')
    const queue = await openSqlQueue(sqlDatabase(db))
    db.exec('PRAGMA max_page_count = 60')
    const film = { sessionId: 'ses_1', at: 1, contentType: 'video/webm' }
    for (const clientId of ['film-1', 'film-2']) {
      await queue.beginFilm({ ...film, clientId })
      await queue.addChunk(clientId, new ArrayBuffer(40_000), 1)
      await queue.endFilm(clientId)
    }
    await queue.beginFilm({ ...film, clientId: 'film-3' })
    await queue.addChunk('film-3', new ArrayBuffer(170_000), 1)
    expect((await queue.oldest('files', 9)).map(({ clientId }) => clientId)).toEqual(['film-2'])
    expect((await queue.counts()).dropped).toBe(1)
    await expect(queue.addChunk('film-3', new ArrayBuffer(400_000), 1)).rejects.toThrow(StorageFull)
  })
})
