import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweepUnreferenced } from '../../../src/domains/administration/storage/unreferenced.service.ts'
import { createIds } from '../../../src/platform/ids.ts'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { createScriptedFilms } from '../../test-support/films.ts'
import { packedStill, sendPack } from '../../test-support/packs.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bundleOf, interview } from '../bundles/bundles.test-support.ts'
import { compositionsOf } from '../compositions/compositions.test-support.ts'
import { uploadsOf } from './uploads.test-support.ts'

const day = 86_400_000
const onePiece = async function* () {
  yield Buffer.from('x')
}

describe.each(everyEngine())('objects that no row names (%s)', (engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine, overrides: { films: createScriptedFilms() } })
  })
  afterAll(() => server.stop())
  const orgId = () => server.orgs[0].orgId
  const sweep = () => sweepUnreferenced(server.app, AbortSignal.timeout(60_000))
  /** An object of an organisation without a row, made so long ago. */
  const orphan = async (ageMs: number, prefix: 'obj' | 'pck' = 'obj'): Promise<string> => {
    const key = `${orgId()}/${createIds(() => server.clock.now() - ageMs)(prefix)}`
    await server.app.store.put(key, onePiece(), { size: 1 })
    return key
  }
  const swept = async () =>
    Number(/^objects_unreferenced_swept_total (\d+)$/m.exec((await server.app.metrics.render()).text)?.[1])

  it('are removed and counted after a day; what has a row, or is on its way to one, stays', async () => {
    const { session, buildItem, sendAll, complete, contentOf } = uploadsOf(() => server)
    const s = await session()
    const kept = buildItem()
    const { data } = await complete(s, await sendAll(s, kept))
    const open = buildItem()
    const uploadId = await sendAll(s, open)
    server.clock.advance(day / 2)
    // Finished in its place, as a kill before its row leaves it.
    const row = await server.app.db.reader.get<{ key: string }>(
      'SELECT store_key AS key FROM uploads WHERE upload_id = ?',
      [uploadId],
    )
    const [old, young] = [await orphan(2 * day), await orphan(day / 2)]
    const [oldPack, youngPack] = [await orphan(2 * day, 'pck'), await orphan(day / 2, 'pck')]
    await sweep()
    const left = await Promise.all([old, oldPack, young, youngPack].map((key) => server.app.store.exists(key)))
    expect(left).toEqual([false, false, true, true])
    expect(await swept()).toBe(2)
    expect(await contentOf(s, data.id)).toEqual(kept.bytes)
    expect(row?.key).toMatch(/\/obj_/)
    expect((await complete(s, uploadId)).status).toBe(201)
  })

  it('are not those of packs, as long as one item of them has a row, erased or not', async () => {
    const s = await buildCaptureSession(server)
    const [one, two] = await sendPack(s, [await packedStill(server), await packedStill(server)])
    const { db, store } = server.app
    await db.transact(async (tx) => {
      const erased = 'UPDATE objects SET erased_at = 1, header = NULL WHERE org_id = ? AND sha256 = ?'
      await tx.run(erased, [s.orgId, one!.evidence!.sha256])
    })
    const sql = 'SELECT pack_id AS "packId" FROM objects WHERE org_id = ? AND sha256 = ?'
    const row = await db.reader.get<{ packId: string }>(sql, [s.orgId, two!.evidence!.sha256])
    server.clock.advance(3 * day)
    await sweep()
    expect(await store.exists(`${s.orgId}/${row?.packId}`)).toBe(true)
  })

  it('are no films and bundles that a row names, until it names them no more', async () => {
    const { db, store } = server.app
    const change = (sql: string, params: string[]) => db.transact((tx) => tx.run(sql, params))
    const { idOf, ready } = compositionsOf(() => server)
    const compositionId = idOf(await ready())
    const session = await interview(server)
    await bundleOf(server, session)
    const keyIn = async (sql: string, id: string) => (await db.reader.get<{ key: string }>(sql, [id]))!.key
    const film = await keyIn('SELECT store_key AS key FROM compositions WHERE composition_id = ?', compositionId)
    const bundle = await keyIn('SELECT store_key AS key FROM bundles WHERE session_id = ?', session.id)
    const there = () => Promise.all([film, bundle].map((key) => store.exists(key)))
    server.clock.advance(2 * day)
    await sweep()
    expect(await there()).toEqual([true, true])
    // While a render runs, its row names the place before the film is there.
    const asPending = 'UPDATE compositions SET pending_key = store_key, store_key = NULL WHERE composition_id = ?'
    await change(asPending, [compositionId])
    await sweep()
    expect(await there()).toEqual([true, true])
    const before = await swept()
    await change('UPDATE compositions SET pending_key = NULL WHERE composition_id = ?', [compositionId])
    await change('DELETE FROM bundles WHERE session_id = ?', [session.id])
    await sweep()
    expect(await there()).toEqual([false, false])
    expect(await swept()).toBe(before + 2)
  })

  it('are all left where they are too many to be what killed processes left, and the job says so', async () => {
    const before = await swept()
    for (let n = 0; n < 30; n += 1) await orphan(3 * day)
    await expect(sweep()).rejects.toThrow(/30 objects have no row, too many to remove/)
    expect(await swept()).toBe(before)
    const folders = await readdir(join(server.app.config.dataDir, 'objects/objects', orgId()))
    expect(folders.length).toBeGreaterThan(0)
  })
})
