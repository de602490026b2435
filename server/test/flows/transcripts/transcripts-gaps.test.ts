import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MigratableDb } from '../../../src/platform/db/dialect.ts'
import { openSqlite } from '../../../src/platform/db/sqlite/sqlite.db.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { segment, transcriptsOf } from './transcripts.test-support.ts'

/** Lists are read where their statements can be counted. */
const countingDb = (db: MigratableDb): MigratableDb => ({
  ...db,
  longReader: () => ({
    get: (sql, params) => db.reader.get(sql, params),
    all: (sql, params) => {
      if (sql.includes('OVER (ORDER BY')) looked += 1
      return db.reader.all(sql, params)
    },
  }),
})

let fresh: FreshDatabase
let db: MigratableDb
let server: TestServer
let looked = 0
beforeAll(async () => {
  fresh = await freshDatabase('sqlite')
  db = openSqlite({ file: fresh.file })
  server = await startServer({ overrides: { db: countingDb(db) } })
})
afterAll(async () => {
  await server.stop()
  await db.close()
  await fresh.drop()
})

it('the gaps of a transcript are looked for once until it changes, however many pages of it are read', async () => {
  const { live, upsert, read } = transcriptsOf(server)
  const session = await live()
  await upsert(session, segment(1), segment(9))
  const before = await read(session)
  for (let n = 0; n < 5; n += 1) expect((await read(session, { offset: n, limit: 1 })).gaps).toEqual(before.gaps)
  expect(before.gaps.length).toBeGreaterThan(0)
  expect(looked).toBe(1)
  await upsert(session, segment(20))
  expect((await read(session)).gaps.length).toBe(before.gaps.length + 1)
  expect(looked).toBe(2)
})
