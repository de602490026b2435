import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ItemFiles } from './item-files.ts'
import { fileKeyStore } from './key-store.ts'
import { Spool } from './spool.ts'
import { buildSegment } from './test-support/build-segment.ts'
import { SpoolFull, type SpoolReport } from './types.ts'

let dir: string
let reports: SpoolReport[]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'spool-repair-'))
  reports = []
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const openSpool = () => Spool.open({ dir, keyStore: fileKeyStore(dir), onReport: (report) => reports.push(report) })
const put = (spool: Spool, text = 'bytes') =>
  spool.put({
    kind: 'screenshot',
    lane: 'screen',
    displayId: ':0',
    capturedAt: 1000,
    monotonicMs: 1,
    contentType: 'image/webp',
    bytes: Buffer.from(text),
    meta: {},
  })
const files = () => readdir(join(dir, 'items'))
const removeIndex = async () => {
  for (const name of await readdir(dir)) if (name.startsWith('spool.db')) await rm(join(dir, name))
}
const change = (sql: string) => {
  const db = new Database(join(dir, 'spool.db'))
  db.exec(sql)
  db.close()
}

describe('a spool that is opened again', () => {
  it('takes along the file of what the service had before the stop', async () => {
    const spool = await openSpool()
    await put(spool)
    await spool.close()
    change("UPDATE items SET state = 'acked'")
    const again = await openSpool()
    expect(await files()).toEqual([])
    await again.close()
  })

  it('keeps what it adopted, however often it is opened', async () => {
    const spool = await openSpool()
    const { clientId } = await put(spool)
    await spool.close()
    await removeIndex()
    for (let time = 0; time < 3; time++) {
      const again = await openSpool()
      const item = again.nextItem()
      expect(item?.clientId).toBe(clientId)
      expect((await again.read(item!)).bytes.toString()).toBe('bytes')
      await again.close()
    }
    expect(reports.map(({ kind }) => kind)).toEqual(['adopted'])
  })

  it.each(['signed', 'not signed'])('adopts items of one instant in the order they had, %s', async (how) => {
    const spool = await openSpool()
    if (how === 'signed') spool.chain.begin('ses_1')
    // Side by side, so in one millisecond of the clock by which ids are made.
    const stored = await Promise.all(Array.from({ length: 8 }, (_, at) => put(spool, `picture ${at}`)))
    await spool.close()
    await removeIndex()
    const again = await openSpool()
    const adopted = stored.map(() => again.nextItem()?.clientId)
    expect(adopted).toEqual(stored.map(({ clientId }) => clientId))
    await again.close()
  })

  it("takes another item's file for no item", async () => {
    const spool = await openSpool()
    const [first, second] = [await put(spool, 'first'), await put(spool, 'other')]
    const pathOf = (clientId: string) => join(dir, 'items', `${clientId}.item`)
    await copyFile(pathOf(first.clientId), pathOf(second.clientId))
    expect(spool.nextItem()?.clientId).toBe(first.clientId)
    const item = spool.nextItem()
    await expect(spool.read(item!)).rejects.toMatchObject({ reason: 'file_unreadable' })
    await spool.close()
  })

  it('holds nothing of a session that was discarded', async () => {
    const spool = await openSpool()
    await put(spool)
    await spool.discard()
    expect(await files()).toEqual([])
    await spool.close()
    expect((await openSpool().then(async (again) => [again.remaining().items, await again.close()]))[0]).toBe(0)
  })

  it('says that the disk is full, and nothing else of another fault, and goes on once there is room', async () => {
    const spool = await openSpool()
    const failing = (code: string) =>
      vi.spyOn(ItemFiles.prototype, 'write').mockRejectedValueOnce(Object.assign(new Error(code), { code }))
    for (const code of ['ENOSPC', 'EDQUOT']) {
      failing(code)
      await expect(put(spool)).rejects.toBeInstanceOf(SpoolFull)
    }
    failing('EIO')
    await expect(put(spool)).rejects.toMatchObject({ name: 'Error', code: 'EIO' })
    expect(spool.remaining()).toMatchObject({ items: 0, bytes: 0 })
    await put(spool)
    expect(await files()).toHaveLength(1)
    vi.restoreAllMocks()
    await spool.close()
  })

  it('takes nothing once it was closed', async () => {
    const spool = await openSpool()
    await spool.close()
    await expect(put(spool)).rejects.toThrow('the spool is closed')
    expect(await files()).toEqual([])
  })

  it('keeps no words that the service will never take', async () => {
    const spool = await openSpool()
    spool.transcript.put(buildSegment())
    spool.transcript.refuse(spool.transcript.next(1), 'declined')
    await spool.close()
    const db = new Database(join(dir, 'spool.db'), { readonly: true })
    expect(db.prepare('SELECT state, length(body) AS bytes FROM segments').all()).toEqual([
      { state: 'refused', bytes: 0 },
    ])
    db.close()
  })
})
