import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCredential } from '../../../src/domains/interviews/sessions/joining/credentials.store.ts'
import { newSecret } from '../../../src/platform/crypto/secrets.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import {
  agreeTo,
  film,
  iso,
  keyClient,
  newClientId,
  published,
  refusal,
  sha256,
} from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
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
    declare,
    beginRaw,
    begin,
    partOf,
    sendPart,
    status,
    complete,
    abort,
    contentOf,
    sendAll,
    segments,
  } = uploadsOf(() => server)

  describe('an upload in parts', () => {
    it.each([
      ['in order', [0, 1, 2]],
      ['in any order', [2, 0, 1]],
    ])('sent %s becomes evidence with the very bytes, announced once', async (_title, order) => {
      const before = await segments()
      const s = await session()
      const item = buildItem()
      const uploadId = await sendAll(s, item, order)
      expect(await status(s, uploadId)).toMatchObject({
        state: 'open',
        partCount: 3,
        receivedParts: [0, 1, 2],
        missingParts: [],
      })
      const { status: code, data } = await complete(s, uploadId)
      expect(code).toBe(201)
      expect(data).toMatchObject({
        sessionId: s.id,
        evidenceType: 'screen_clip',
        sizeBytes: item.bytes.length,
        sha256: sha256(item.bytes),
        clientId: item.clientId,
        durationMs: 10_000,
        metadata: { displayId: 'display-1' },
      })
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
      expect(await segments()).toEqual(before)
    })

    it('with all parts at once, as base64, is the same', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      const send = (index: number) => {
        const bytes = partOf(item, index)
        const body = { index, sha256: sha256(bytes), data: bytes.toString('base64') }
        return s.agent.call('agent.uploads.part', { params: { uploadId }, body })
      }
      await Promise.all([2, 1, 0].map(send))
      const { data } = await complete(s, uploadId)
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
    })

    it.each([
      ['raw', 16 * MiB],
      ['base64', 4 * MiB],
    ])('takes parts up to the largest: %s, %d bytes', async (form, partSize) => {
      const s = await session()
      const item = buildItem({ bytes: film(partSize + 10), partSize })
      const uploadId = await begin(s, item)
      for (const index of [0, 1]) {
        const bytes = partOf(item, index)
        if (form === 'raw') await sendPart(s, uploadId, index, bytes)
        else {
          const body = { index, sha256: sha256(bytes), data: bytes.toString('base64') }
          await s.agent.call('agent.uploads.part', { params: { uploadId }, body })
        }
      }
      const { data } = await complete(s, uploadId)
      expect(data.sizeBytes).toBe(partSize + 10)
      expect(sha256(await contentOf(s, data.id))).toBe(data.sha256)
    })

    it('goes on after a restart of the server at every step', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      for (const index of [1, 0, 2]) {
        await server.restart()
        await sendPart(s, uploadId, index, partOf(item, index))
      }
      await server.restart()
      expect((await status(s, uploadId)).missingParts).toEqual([])
      const { data } = await complete(s, uploadId)
      await server.restart()
      expect((await complete(s, uploadId)).data).toEqual(data)
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
    })

    it('system audio is a lane of its own, in playback order with length and codec in the metadata', async () => {
      const s = await session()
      const start = server.clock.now()
      for (const n of [1, 0]) {
        const item = buildItem({ evidenceType: 'system_audio_chunk', contentType: 'audio/webm', bytes: film(3000 + n) })
        const { evidenceType: _, ...rest } = declare(item, { capturedAt: iso(start + n * 10_000) })
        const { data } = await s.agent.call('agent.systemAudio.begin', { params: { id: s.id }, body: rest })
        if (!('uploadId' in data)) throw new Error('the item is here already')
        await sendPart(s, data.uploadId, 0, item.bytes)
        await complete(s, data.uploadId)
      }
      const { data } = await keyClient(server, s).call('sessions.systemAudio.list', { params: { id: s.id } })
      expect(data.items.map(({ capturedAt }) => capturedAt)).toEqual([iso(start), iso(start + 10_000)])
      expect(data.items[0]).toMatchObject({ durationMs: 10_000, metadata: { codec: 'opus', durationMs: 10_000 } })
      expect(data.total).toBe(2)
    })
  })

  describe('agent.uploads.part', () => {
    it('takes the same part again without a change, and refuses another at its index', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      const first = await sendPart(s, uploadId, 1, partOf(item, 1))
      expect(first.data).toEqual({ index: 1, receivedParts: [1] })
      expect((await sendPart(s, uploadId, 1, partOf(item, 1))).data).toEqual(first.data)
      expect(await refusal(sendPart(s, uploadId, 1, randomBytes(partBytes)))).toEqual({
        status: 409,
        code: 'conflict',
        path: 'index',
      })
      await server.restart()
      expect(await refusal(sendPart(s, uploadId, 1, randomBytes(partBytes)))).toMatchObject({ status: 409 })
      for (const index of [0, 2]) await sendPart(s, uploadId, index, partOf(item, index))
      const { data } = await complete(s, uploadId)
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
      expect((await sendPart(s, uploadId, 1, partOf(item, 1))).data.receivedParts).toEqual([0, 1, 2])
    })

    it('refuses a wrong hash, size or index', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      const part = partOf(item, 1)
      const wrong: [number, Buffer, string | undefined, string][] = [
        [1, part, '0'.repeat(64), 'sha256'],
        [1, part.subarray(1), undefined, 'data'],
        [1, Buffer.concat([part, Buffer.alloc(1)]), undefined, 'data'],
        [2, part, undefined, 'data'],
        [3, part, undefined, 'index'],
      ]
      for (const [index, bytes, hash, path] of wrong)
        expect(await refusal(sendPart(s, uploadId, index, bytes, hash))).toEqual({
          status: 400,
          code: 'invalid_request',
          path,
        })
      expect((await status(s, uploadId)).receivedParts).toEqual([])
      expect(await refusal(sendPart(s, uploadId, 0, Buffer.alloc(16 * MiB + 1)))).toMatchObject({ status: 413 })
    })

    it('refuses bytes that do not begin like their type, and discards the upload, so that it is not in the way', async () => {
      const s = await session()
      const uploadId = await begin(s, buildItem())
      const lie = sendPart(s, uploadId, 0, Buffer.alloc(partBytes))
      expect(await refusal(lie)).toEqual({ status: 400, code: 'invalid_request', path: 'contentType' })
      expect((await status(s, uploadId)).state).toBe('aborted')
      // More of them than may be open at once.
      for (let n = 0; n < 55; n += 1) {
        const item = buildItem({
          bytes: Buffer.alloc(1000, n),
          evidenceType: 'system_audio_chunk',
          contentType: 'audio/webm',
        })
        expect(await refusal(sendPart(s, await begin(s, item), 0, item.bytes))).toMatchObject({ status: 400 })
      }
      await server.processAll()
    })

    it('is refused once the lane was switched off or the session erased', async () => {
      const before = await segments()
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await s.api.call('sessions.patch', { params: { id: s.id }, body: { capture: { enabled: false } } })
      expect(await refusal(sendPart(s, uploadId, 0, partOf(item, 0)))).toMatchObject({ status: 403 })
      await s.api.call('sessions.patch', { params: { id: s.id }, body: { capture: { enabled: true } } })
      await sendPart(s, uploadId, 0, partOf(item, 0))
      await s.api.call('sessions.end', { params: { id: s.id } })
      await s.api.call('sessions.erase', { params: { id: s.id } })
      expect(await refusal(sendPart(s, uploadId, 1, partOf(item, 1)))).toMatchObject({ status: 409 })
      expect(await status(s, uploadId)).toMatchObject({ state: 'aborted', receivedParts: [] })
      const row = await server.app.db.reader.get('SELECT header, nonce, metadata FROM uploads WHERE upload_id = ?', [
        uploadId,
      ])
      expect(row).toEqual({ header: null, nonce: null, metadata: '{}' })
      await server.processAll()
      expect(await segments()).toEqual(before)
    })
  })

  describe('an upload of the phone', () => {
    it('may be side view only, needs its own consent, and is not there for the agent', async () => {
      const s = await session({ config: { sideView: { enabled: true, recording: true } } })
      const secret = newSecret('cmt_')
      const credential = {
        id: newClientId(),
        sessionId: s.id,
        kind: 'companion',
        tokenHash: secret.hash,
        label: null,
      } as const
      const scope = { orgId: s.orgId, environment: s.environment }
      await server.app.db.transact((tx) => insertCredential(tx, scope, credential, server.clock.now()))
      const phone = { ...s, token: secret.token }
      const item = buildItem({ evidenceType: 'side_view_clip' })
      expect(await refusal(beginRaw(phone, item))).toEqual({ status: 403, code: 'forbidden' })
      await agreeTo(server, s, 'side_view')
      expect(await refusal(beginRaw(phone, buildItem()))).toEqual({ status: 403, code: 'forbidden' })
      const uploadId = await begin(phone, item)
      expect(await refusal(status(s, uploadId))).toEqual({ status: 404, code: 'not_found' })
      for (const index of [0, 1, 2]) await sendPart(phone, uploadId, index, partOf(item, index))
      const { data } = await complete(phone, uploadId)
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
    })
  })

  describe('an upload of another session', () => {
    it('is not there', async () => {
      const [s, other] = [await session(), await session()]
      const item = buildItem()
      const uploadId = await begin(s, item)
      const calls = [
        () => status(other, uploadId),
        () => sendPart(other, uploadId, 0, partOf(item, 0)),
        () => complete(other, uploadId),
        () => abort(other, uploadId),
        () => beginRaw({ ...s, token: other.token }, item),
      ]
      for (const call of calls) expect(await refusal(call())).toEqual({ status: 404, code: 'not_found' })
      await abort(s, uploadId)
    })
  })
}

for (const engine of enginesInTurn(import.meta.filename)) describe(`uploads (${engine})`, () => flows(engine))
