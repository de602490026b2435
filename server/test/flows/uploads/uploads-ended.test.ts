import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../test-support/capture-session.ts'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { uploadsOf } from './uploads.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`an upload that was discarded (${engine})`, () => {
    let database: FreshDatabase
    let server: TestServer
    /** Done once, before the next transaction begins. */
    let before: (() => Promise<unknown>) | undefined
    beforeAll(async () => {
      database = await freshDatabase(engine)
      const db = database.open()
      const transact: typeof db.transact = async (work) => {
        const first = before
        before = undefined
        await first?.()
        return db.transact(work)
      }
      server = await startServer({ engine, overrides: { db: { ...db, transact } } })
    })
    afterAll(async () => {
      await server.stop()
      await database.drop()
    })
    const { session, buildItem, begin, partOf, sendPart, status, complete, abort, sendAll, segments } = uploadsOf(
      () => server,
    )

    it('takes no part to the disk any more', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await abort(s, uploadId)
      await server.processAll()
      const left = await segments()
      expect((await refusal(sendPart(s, uploadId, 0, partOf(item, 0)))).code).toBe('conflict')
      expect(await segments()).toEqual(left)
    })

    it('takes no part to the disk once its time is over, swept or not', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      const { expiresAt } = await status(s, uploadId)
      server.clock.advance(Date.parse(expiresAt) - server.clock.now())
      const before = await segments()
      expect((await refusal(sendPart(s, uploadId, 0, partOf(item, 0)))).code).toBe('conflict')
      expect(await segments()).toEqual(before)
      const written = await Promise.all(before.map((file) => stat(file)))
      expect(written.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(0)
    })

    it('takes no part that was looked at before', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      before = () => abort(s, uploadId)
      expect((await refusal(sendPart(s, uploadId, 0, partOf(item, 0)))).code).toBe('conflict')
      expect(before).toBeUndefined()
    })

    it('is not completed by whoever has looked at its parts before', async () => {
      const s = await session()
      const uploadId = await sendAll(s, buildItem())
      before = () => abort(s, uploadId)
      expect((await refusal(complete(s, uploadId))).code).toBe('conflict')
      expect(before).toBeUndefined()
    })
  })
