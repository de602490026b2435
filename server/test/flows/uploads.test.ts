import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvidenceType } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { insertCredential } from '../../src/domains/sessions/credentials.store.ts'
import { newSecret } from '../../src/platform/crypto/secrets.ts'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { LocalStore } from '../../src/platform/storage/local.store.ts'
import { hasEngine } from '../support/databases.ts'
import { startServer, type TestServer } from '../support/server.ts'
import {
  agreeTo,
  auditOf,
  buildCaptureSession,
  type CaptureSession,
  filesBelow,
  film,
  iso,
  keyClient,
  newClientId,
  picture,
  published,
  refusal,
  sha256,
  storedFiles,
} from './capture-session.ts'

const MiB = 1024 * 1024
const PART = MiB
const hour = 3_600_000

interface Item {
  readonly bytes: Buffer
  readonly clientId: string
  readonly evidenceType: EvidenceType
  readonly contentType: string
  readonly partSize: number
}

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const session = (options?: Parameters<typeof buildCaptureSession>[1]) => buildCaptureSession(server, options)
  /** Three parts of a film unless told otherwise. */
  const buildItem = (overrides: Partial<Item> = {}): Item => ({
    bytes: film(2 * PART + 70_000),
    clientId: newClientId(),
    evidenceType: 'screen_clip',
    contentType: 'video/webm',
    partSize: PART,
    ...overrides,
  })
  const declare = (item: Item, overrides: Record<string, unknown> = {}) => ({
    clientId: item.clientId,
    evidenceType: item.evidenceType,
    sizeBytes: item.bytes.length,
    sha256: sha256(item.bytes),
    contentType: item.contentType,
    capturedAt: iso(server.clock.now()),
    durationMs: 10_000,
    partSize: item.partSize,
    metadata: { displayId: 'display-1' },
    ...overrides,
  })
  const beginRaw = async (s: CaptureSession, item: Item, overrides: Record<string, unknown> = {}) =>
    server.client(s.token).call('agent.uploads.begin', { params: { id: s.id }, body: declare(item, overrides) })
  const begin = async (s: CaptureSession, item: Item): Promise<string> => {
    const { data } = await beginRaw(s, item)
    if (!('uploadId' in data)) throw new Error('the item is here already')
    return data.uploadId
  }
  const partOf = ({ bytes, partSize }: Item, index: number) => bytes.subarray(index * partSize, (index + 1) * partSize)
  const sendPart = async (s: CaptureSession, uploadId: string, index: number, bytes: Buffer, hash = sha256(bytes)) =>
    server.client(s.token).call('agent.uploads.part', {
      params: { uploadId },
      raw: { bytes, contentType: 'application/octet-stream', meta: { index, sha256: hash } },
    })
  const status = async (s: CaptureSession, uploadId: string) =>
    (await server.client(s.token).call('agent.uploads.status', { params: { uploadId } })).data
  const complete = (s: CaptureSession, uploadId: string) =>
    server.client(s.token).call('agent.uploads.complete', { params: { uploadId } })
  const abort = (s: CaptureSession, uploadId: string) =>
    server.client(s.token).call('agent.uploads.abort', { params: { uploadId } })
  const contentOf = async (s: CaptureSession, id: string) => {
    const { data } = await keyClient(server, s).call('evidence.downloadUrl', { params: { id } })
    const answer = await fetch(server.url + data.url.slice(server.app.config.baseUrl.length))
    return Buffer.from(await answer.arrayBuffer())
  }
  const sendAll = async (s: CaptureSession, item: Item, order = [0, 1, 2]) => {
    const uploadId = await begin(s, item)
    for (const index of order) await sendPart(s, uploadId, index, partOf(item, index))
    return uploadId
  }
  const segments = () => storedFiles(server, 'segments')
  const listed = async (s: CaptureSession) =>
    (await keyClient(server, s).call('sessions.evidence.list', { params: { id: s.id } })).data

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

    it.each(['raw', 'base64'])('takes parts of 16 MiB, %s', async (form) => {
      const s = await session()
      const item = buildItem({ bytes: film(16 * MiB + 10), partSize: 16 * MiB })
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
      expect(data.sizeBytes).toBe(16 * MiB + 10)
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
        const body = declare(item, { capturedAt: iso(start + n * 10_000), metadata: { codec: 'opus' } })
        const { evidenceType: _, ...rest } = body
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

  describe('agent.uploads.begin', () => {
    it('answers the open upload of the same item, with the parts that are here', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 1, partOf(item, 1))
      const again = await beginRaw(s, item)
      expect(again.status).toBe(200)
      expect(again.data).toMatchObject({ uploadId, partSize: PART, partCount: 3, receivedParts: [1] })
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
      const large = { sizeBytes: 64 * MiB + 1, evidenceType: 'system_audio_chunk', contentType: 'audio/webm' }
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

  describe('agent.uploads.part', () => {
    it('takes the same part again without a change, and refuses another at its index', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      const first = await sendPart(s, uploadId, 1, partOf(item, 1))
      expect(first.data).toEqual({ index: 1, receivedParts: [1] })
      expect((await sendPart(s, uploadId, 1, partOf(item, 1))).data).toEqual(first.data)
      expect(await refusal(sendPart(s, uploadId, 1, randomBytes(PART)))).toEqual({
        status: 409,
        code: 'conflict',
        path: 'index',
      })
      await server.restart()
      expect(await refusal(sendPart(s, uploadId, 1, randomBytes(PART)))).toMatchObject({ status: 409 })
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
      const lie = sendPart(s, uploadId, 0, Buffer.alloc(PART))
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

  describe('agent.uploads.complete', () => {
    it('names the missing parts', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 1, partOf(item, 1))
      const error = await complete(s, uploadId).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({
        status: 409,
        code: 'conflict',
        details: [{ path: 'parts.0' }, { path: 'parts.2' }],
        body: { error: { missingParts: [0, 2] } },
      })
      for (const index of [0, 2]) await sendPart(s, uploadId, index, partOf(item, index))
      expect((await complete(s, uploadId)).status).toBe(201)
    })

    it.each([
      ['kept while the parts came', false],
      ['read back after a restart', true],
    ])('refuses and discards when the whole has another hash (%s)', async (_title, restarted) => {
      const before = await segments()
      const s = await session()
      const item = buildItem()
      const { data } = await beginRaw(s, item, { sha256: sha256(randomBytes(8)) })
      if (!('uploadId' in data)) throw new Error('the item is here already')
      const { uploadId } = data
      for (const index of [0, 1, 2]) await sendPart(s, uploadId, index, partOf(item, index))
      if (restarted) await server.restart()
      const refused = { status: 400, code: 'invalid_request', path: 'sha256' }
      expect(await refusal(complete(s, uploadId))).toEqual(refused)
      expect((await status(s, uploadId)).state).toBe('aborted')
      expect((await auditOf(server, s)).at(-1)).toMatchObject({ action: 'upload.refused', target: uploadId })
      await server.processAll()
      expect(await segments()).toEqual(before)
      expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 409 })
      expect((await listed(s)).total).toBe(0)
      expect(await published(server, s, 'evidence.ready')).toBe(0)
    })

    it('decodes pictures before it takes them', async () => {
      const s = await session()
      const whole = await picture('png', 300, 300)
      const cut = whole.subarray(0, whole.length - 5000)
      const broken = buildItem({ evidenceType: 'screenshot', contentType: 'image/png', bytes: cut })
      const files = (await storedFiles(server)).length
      expect(await refusal(complete(s, await sendAll(s, broken, [0])))).toMatchObject({ status: 400, path: 'data' })
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files)
      const sound = buildItem({ evidenceType: 'screenshot', contentType: 'image/png', bytes: whole })
      expect((await complete(s, await sendAll(s, sound, [0]))).status).toBe(201)
    })

    it('makes one row and one event, however often and however much at once it is asked for', async () => {
      const s = await session()
      const uploadId = await sendAll(s, buildItem())
      const answers = await Promise.all([1, 2, 3].map(() => complete(s, uploadId)))
      expect(answers.map(({ status: code }) => code).sort((a, b) => a - b)).toEqual([200, 200, 201])
      expect((await complete(s, uploadId)).data).toEqual(answers[0]!.data)
      expect((await listed(s)).total).toBe(1)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
    })

    it('shares the object when the same bytes were stored meanwhile, and takes the second copy away', async () => {
      const s = await session()
      const item = buildItem()
      const files = (await storedFiles(server)).length
      const one = await sendAll(s, item)
      const two = await sendAll(s, { ...item, clientId: newClientId() })
      await complete(s, one)
      const { data } = await complete(s, two)
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files + 1)
      expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
    })

    it('after a kill between the finished object and its row, finds the object and makes the row', async () => {
      const usual = server
      const killed = await killAfterFinish(engine)
      server = killed.server
      try {
        const s = await session()
        const item = buildItem()
        const uploadId = await sendAll(s, item)
        expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 500 })
        expect(await filesBelow(join(killed.root, 'segments'))).toEqual([])
        killed.revive()
        await server.restart()
        expect((await status(s, uploadId)).state).toBe('open')
        const { status: code, data } = await complete(s, uploadId)
        expect(code).toBe(201)
        expect((await contentOf(s, data.id)).equals(item.bytes)).toBe(true)
      } finally {
        server = usual
        await killed.stop()
      }
    })
  })

  describe('agent.uploads.abort', () => {
    it('discards the parts, answers the same again, and refuses what is completed', async () => {
      const before = await segments()
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 0, partOf(item, 0))
      const { data } = await abort(s, uploadId)
      expect(data).toEqual({ uploadId, state: 'aborted' })
      expect((await abort(s, uploadId)).data).toEqual(data)
      await server.processAll()
      expect(await segments()).toEqual(before)
      expect(await refusal(sendPart(s, uploadId, 1, partOf(item, 1)))).toMatchObject({ status: 409 })
      expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 409 })
      const again = await sendAll(s, item)
      expect(again).not.toBe(uploadId)
      await complete(s, again)
      expect(await refusal(abort(s, again))).toMatchObject({ status: 409, code: 'conflict' })
    })
  })

  describe('an upload that nobody completes', () => {
    it('expires after 24 hours, and its item can be begun again', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 0, partOf(item, 0))
      server.clock.advance(24 * hour - 1)
      await sendPart(s, uploadId, 1, partOf(item, 1))
      server.clock.advance(1)
      expect((await status(s, uploadId)).state).toBe('aborted')
      expect(await refusal(sendPart(s, uploadId, 2, partOf(item, 2)))).toMatchObject({ status: 409 })
      expect(await refusal(complete(s, uploadId))).toMatchObject({ status: 409 })
      const again = await begin(s, item)
      expect(again).not.toBe(uploadId)
      await abort(s, again)
    })

    it('is swept with its parts by a job', async () => {
      const s = await session()
      const item = buildItem()
      const uploadId = await begin(s, item)
      await sendPart(s, uploadId, 0, partOf(item, 0))
      server.clock.advance(24 * hour)
      await server.processAll()
      await server.processAll()
      expect(await segments()).toEqual([])
      const trail = await auditOf(server, s)
      expect(trail.at(-1)).toMatchObject({ action: 'upload.aborted', actor: 'system', payload: { reason: 'expired' } })
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

/** A server that is cut off, until it is revived, right after an object lies finished in its place. */
const killAfterFinish = async (engine: Engine) => {
  let alive = false
  class CutOffStore extends LocalStore {
    override async openSegmented(...args: Parameters<LocalStore['openSegmented']>) {
      const writer = await super.openSegmented(...args)
      const finish = writer.finish.bind(writer)
      writer.finish = async () => {
        await finish()
        if (!alive) throw new Error('cut off')
      }
      return writer
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'cut-off-'))
  const server = await startServer({ engine, overrides: { store: new CutOffStore(root) } })
  const revive = () => {
    alive = true
  }
  const stop = async () => {
    await server.stop()
    await rm(root, { recursive: true })
  }
  return { server, root, revive, stop }
}

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`uploads (${engine})`, () => flows(engine))
