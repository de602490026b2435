import { afterAll, beforeAll, expect, it } from 'vitest'
import { payloadSize } from '../../../src/platform/crypto/age-stream.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { inDouble, storageOf } from '../storage/storage.test-support.ts'
import { uploadsOf } from './uploads.test-support.ts'

describeEachDatabase('an upload that another process brings to its place', (_open, engine) => {
  let double: S3Double
  let server: TestServer
  beforeAll(async () => {
    double = await startS3Double()
    server = await startServer({ engine })
    await storageOf(server).put(inDouble(double))
  })
  afterAll(async () => {
    await server.stop()
    await double.stop()
  })

  it('is completed by the one that still holds its parts, though they are gone', async () => {
    const { session, buildItem, sendAll, complete, contentOf, listed } = uploadsOf(() => server)
    const s = await session()
    const item = buildItem()
    // This process holds the parts open from here on.
    const uploadId = await sendAll(s, item)
    const { store, db } = server.app
    const row = await db.reader.get<{ store_key: string }>('SELECT store_key FROM uploads WHERE upload_id = ?', [
      uploadId,
    ])
    const key = row!.store_key
    const other = await store.openSegmented(key, { size: payloadSize(item.bytes.length) })
    other.confirm()
    await other.finish()
    expect([...double.objects.keys()]).toContain(key)

    const { status, data } = await complete(s, uploadId)
    expect(status).toBe(201)
    expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
    expect((await complete(s, uploadId)).data.id).toBe(data.id)
    expect((await listed(s)).total).toBe(1)
  })
})
