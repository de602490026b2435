import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { film, newClientId, refusal, storedFiles } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { MiB, partBytes, uploadsOf } from './uploads.test-support.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const {
    session,
    buildItem,
    beginRaw,
    begin,
    partOf,
    sendPart,
    complete,
    abort,
    contentOf,
    sendAll,
    segments,
    listed,
  } = uploadsOf(() => server)

  describe('agent.uploads.begin', () => {
    it('answers the open upload of the same item, with the parts that are here', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 1, partOf(item, 1))
      const again = await beginRaw(s, item)
      expect(again.status).toBe(200)
      expect(again.data).toMatchObject({ uploadId, partSize: partBytes, partCount: 3, receivedParts: [1] })
      const segments = (await storedFiles(server, 'segments')).length
      await Promise.all([beginRaw(s, item), beginRaw(s, item)])
      await server.processAll()
      expect(await storedFiles(server, 'segments')).toHaveLength(segments)
      await abort(s, uploadId)
    })

    it('opens one upload when the same item is begun many times at once', async () => {
      const s = await session()
      const item = buildItem()
      const answers = await Promise.all(Array.from({ length: 4 }, () => begin(s, item)))
      expect(new Set(answers).size).toBe(1)
      const [uploadId] = answers
      await server.processAll()
      for (const index of [0, 1, 2]) await sendPart(s, uploadId!, index, partOf(item, index))
      expect((await complete(s, uploadId!)).status).toBe(201)
    })

    it('refuses other bytes under the clientId of an open upload and of a stored item', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await sendAll(s, item)
      const other = { ...item, bytes: film(5000) }
      expect(await refusal(beginRaw(s, other))).toEqual({ status: 409, code: 'conflict', path: 'clientId' })
      await complete(s, uploadId)
      expect(await refusal(beginRaw(s, other))).toEqual({ status: 409, code: 'conflict', path: 'clientId' })
    })

    it('answers what is stored: the same row for the same clientId, a row of its own that shares the object for another', async () => {
      const s = await session()
      const item = buildItem()
      const { data: stored } = await complete(s, await sendAll(s, item))
      const files = (await storedFiles(server)).length
      const same = await beginRaw(s, item)
      expect([same.status, same.data]).toEqual([200, { deduplicated: true, evidence: stored }])
      const other = await beginRaw(s, { ...item, clientId: newClientId() })
      expect(other.status).toBe(200)
      if (!('deduplicated' in other.data)) throw new Error('not deduplicated')
      expect(other.data.evidence.id).not.toBe(stored.id)
      expect((await contentOf(s, other.data.evidence.id)).equals(item.bytes)).toBe(true)
      expect(await storedFiles(server)).toHaveLength(files)
      expect((await listed(s)).total).toBe(2)
    })

    it('does not share objects between sessions', async () => {
      const item = buildItem()
      const [s, other] = [await session(), await session()]
      await complete(s, await sendAll(s, item))
      expect((await beginRaw(other, item)).status).toBe(201)
    })

    it('refuses what is too large, of the wrong type, or not for this device', async () => {
      const s = await session()
      const large = {
        sizeBytes: 64 * MiB + 1,
        evidenceType: 'system_audio_chunk',
        contentType: 'audio/webm',
        codec: 'opus',
      }
      const wrong: [Record<string, unknown>, object][] = [
        [large, { status: 400, code: 'invalid_request', path: 'sizeBytes' }],
        [{ sizeBytes: 0 }, { status: 400, code: 'invalid_request', path: 'sizeBytes' }],
        [{ partSize: 17 * MiB }, { status: 400, code: 'invalid_request', path: 'partSize' }],
        [{ partSize: MiB + 1 }, { status: 400, code: 'invalid_request', path: 'partSize' }],
        [{ contentType: 'text/html' }, { status: 400, code: 'invalid_request', path: 'contentType' }],
        [{ evidenceType: 'side_view_clip' }, { status: 403, code: 'forbidden' }],
      ]
      for (const [overrides, answer] of wrong)
        expect(await refusal(beginRaw(s, buildItem(), overrides))).toEqual(answer)
    })

    it('needs length and codec of a system-audio chunk, the codec in either place', async () => {
      const s = await session()
      const chunk = () => buildItem({ evidenceType: 'system_audio_chunk', contentType: 'audio/webm' })
      const without = (overrides: object) => refusal(beginRaw(s, chunk(), { codec: undefined, ...overrides }))
      const wrong = { status: 400, code: 'invalid_request' }
      expect(await without({ durationMs: undefined })).toEqual({ ...wrong, path: 'durationMs' })
      for (const metadata of [undefined, {}, { codec: '' }, { codec: 5 }])
        expect(await without({ metadata })).toEqual({ ...wrong, path: 'codec' })
      const beside = await beginRaw(s, chunk(), { codec: undefined, metadata: { codec: 'opus' } })
      expect([beside.status, (await beginRaw(s, chunk())).status]).toEqual([201, 201])
      expect((await beginRaw(s, buildItem(), { durationMs: undefined })).status).toBe(201)
    })

    it('refuses a declined lane', async () => {
      const s = await session({ declined: ['system_audio'] })
      const item = buildItem({ evidenceType: 'system_audio_chunk', contentType: 'audio/webm' })
      expect(await refusal(beginRaw(s, item))).toEqual({ status: 403, code: 'forbidden' })
    })

    it('asks to wait when a session has 50 uploads open', async () => {
      const before = await segments()
      const s = await session()
      const bytes = film(100)
      const ids: string[] = []
      for (let n = 0; n < 50; n++)
        ids.push(await begin(s, buildItem({ bytes: Buffer.concat([bytes, Buffer.from([n])]) })))
      expect(await refusal(beginRaw(s, buildItem({ bytes: film(100) })))).toMatchObject({
        status: 429,
        code: 'rate_limited',
      })
      await abort(s, ids[0]!)
      const again = await begin(s, buildItem({ bytes: film(100) }))
      for (const id of [...ids, again]) await abort(s, id)
      await server.processAll()
      expect(await segments()).toEqual(before)
    })
  })
}

for (const engine of everyEngine()) describe(`uploads (${engine})`, () => flows(engine))
