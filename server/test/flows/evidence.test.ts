import { mkdtemp, open, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/protocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseEvidence } from '../../src/domains/evidence/evidence.erase.service.ts'
import { evidenceInventory } from '../../src/domains/evidence/evidence.service.ts'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { LocalStore } from '../../src/platform/storage/local.store.ts'
import { hasEngine } from '../support/databases.ts'
import { portalCookie } from '../support/portal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import {
  agreeTo,
  auditOf,
  buildCaptureSession,
  buildStill,
  type CaptureSession,
  filesBelow,
  film,
  iso,
  newClientId,
  picture,
  published,
  refusal,
  sendStill,
  sha256,
  storedFiles,
} from './capture-session.ts'

const hour = 3_600_000

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const session = (options?: Parameters<typeof buildCaptureSession>[1]) => buildCaptureSession(server, options)
  const list = async ({ api, id }: CaptureSession, query = {}) =>
    (await api.call('sessions.evidence.list', { params: { id }, query })).data
  const download = async ({ api }: CaptureSession, id: string) => {
    const { data } = await api.call('evidence.downloadUrl', { params: { id } })
    // Links carry the configured address; the test server listens on a port of its own.
    return server.url + data.url.slice(server.app.config.baseUrl.length)
  }
  const bytesOf = async (url: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, { headers })
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const scopeOf = ({ orgId, environment }: CaptureSession) => ({ orgId, environment })

  describe('agent.screenshots.upload', () => {
    it('stores a raw picture, announces it, and gives its very bytes back', async () => {
      const s = await session()
      const bytes = await picture('webp', 64, 48)
      const meta = { displayId: 'display-1', width: 64, height: 48, trigger: 'interval' }
      const { status, data } = await sendStill(server, s, { bytes, ...meta })
      expect(status).toBe(201)
      expect(data).toMatchObject({
        sessionId: s.id,
        evidenceType: 'screenshot',
        sizeBytes: bytes.length,
        metadata: meta,
        erasedAt: null,
      })
      expect((await list(s)).items).toEqual([data])
      expect((await s.api.call('evidence.get', { params: { id: data.id } })).data).toEqual(data)
      expect((await bytesOf(await download(s, data.id))).bytes.equals(bytes)).toBe(true)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
    })

    it('takes base64 in JSON as well', async () => {
      const s = await session()
      const { bytes, contentType, meta } = await buildStill(server, {
        contentType: 'image/png',
        bytes: await picture('png'),
      })
      const body = { ...meta, contentType, data: bytes.toString('base64') } as never
      const { status, data } = await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body })
      expect(status).toBe(201)
      expect(data.contentType).toBe('image/png')
      expect((await bytesOf(await download(s, data.id))).bytes.equals(bytes)).toBe(true)
    })

    it('never writes plain bytes to the disk', async () => {
      const s = await session()
      const before = new Set(await storedFiles(server))
      const { bytes, ...still } = await buildStill(server)
      await s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw: { bytes, ...still } })
      const [added, ...more] = (await storedFiles(server)).filter((file) => !before.has(file))
      expect(more).toEqual([])
      const file = await open(added!)
      const content = await file.readFile()
      await file.close()
      expect(content.includes(bytes.subarray(0, 16))).toBe(false)
    })

    it('answers 200 with the same object when the clientId comes again with the same bytes', async () => {
      const s = await session()
      const raw = await buildStill(server)
      const send = () => s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw })
      const first = await send()
      const files = (await storedFiles(server)).length
      const again = await send()
      expect([first.status, again.status]).toEqual([201, 200])
      expect(again.data).toEqual(first.data)
      expect((await list(s)).total).toBe(1)
      expect(await published(server, s, 'evidence.ready')).toBe(1)
      expect(await storedFiles(server)).toHaveLength(files)
    })

    it('stores one object when the same item comes many times at once', async () => {
      const s = await session()
      const files = (await storedFiles(server)).length
      const raw = await buildStill(server)
      const send = () => s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw })
      const answers = await Promise.all(Array.from({ length: 6 }, send))
      expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files + 1)
    })

    it('refuses other bytes under a clientId that is taken', async () => {
      const s = await session()
      const clientId = newClientId()
      await sendStill(server, s, { clientId })
      const files = (await storedFiles(server)).length
      expect(await refusal(sendStill(server, s, { clientId }))).toEqual({
        status: 409,
        code: 'conflict',
        path: 'clientId',
      })
      expect(await storedFiles(server)).toHaveLength(files)
    })

    it('keeps the same bytes under another clientId as a row that shares the object, shredded with its last row', async () => {
      const s = await session()
      const bytes = await picture()
      const { data: one } = await sendStill(server, s, { bytes })
      const files = (await storedFiles(server)).length
      const { status, data: two } = await sendStill(server, s, { bytes })
      expect(status).toBe(201)
      expect(two.id).not.toBe(one.id)
      expect(await storedFiles(server)).toHaveLength(files)
      expect(await published(server, s, 'evidence.ready')).toBe(2)

      const erase = (evidenceId: string) =>
        server.app.db.transact((tx) =>
          eraseEvidence(server.app, tx, scopeOf(s), { sessionId: s.id, evidenceId }, server.clock.now()),
        )
      await erase(one.id)
      await server.processAll()
      expect((await bytesOf(await download(s, two.id))).bytes.equals(bytes)).toBe(true)
      expect(await refusal(s.api.call('evidence.downloadUrl', { params: { id: one.id } }))).toMatchObject({
        status: 404,
      })
      await erase(two.id)
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files - 1)
      const headers = await server.app.db.reader.all(
        'SELECT header FROM objects o JOIN evidence e ON e.org_id = o.org_id AND e.object_id = o.object_id WHERE e.session_id = ?',
        [s.id],
      )
      expect(headers).toEqual([{ header: null }, { header: null }])
    })

    it('refuses bytes that are not what was declared, and keeps nothing of them', async () => {
      const s = await session()
      const before = (await storedFiles(server)).length
      const png = await picture('png')
      const wrong: [Record<string, unknown>, string][] = [
        [{ sha256: '0'.repeat(64) }, 'sha256'],
        [{ bytes: png, contentType: 'image/webp' }, 'contentType'],
        [{ bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), contentType: 'image/png' }, 'contentType'],
        [{ bytes: png.subarray(0, png.length - 200), contentType: 'image/png' }, 'data'],
        [{ width: 65, height: 48 }, 'width'],
        [{ bytes: Buffer.alloc(0) }, 'data'],
      ]
      for (const [overrides, path] of wrong)
        expect(await refusal(sendStill(server, s, overrides))).toEqual({ status: 400, code: 'invalid_request', path })
      expect((await list(s)).total).toBe(0)
      expect(await storedFiles(server)).toHaveLength(before)
    })

    it('refuses content types that screenshots do not have, raw and in JSON', async () => {
      const s = await session()
      expect(await refusal(sendStill(server, s, { contentType: 'image/svg+xml' }))).toMatchObject({ status: 415 })
      const { meta, bytes } = await buildStill(server)
      const body = { ...meta, contentType: 'image/svg+xml', data: bytes.toString('base64') } as never
      const call = s.agent.call('agent.screenshots.upload', { params: { id: s.id }, body })
      expect(await refusal(call)).toEqual({ status: 400, code: 'invalid_request', path: 'contentType' })
    })

    it('refuses everything before consent', async () => {
      const s = await session({ registered: false })
      expect(await refusal(sendStill(server, s))).toMatchObject({ status: 403, code: 'forbidden' })
    })

    it('refuses a lane that policy switched off after consent', async () => {
      const s = await session()
      await s.api.call('sessions.patch', { params: { id: s.id }, body: { capture: { enabled: false } } })
      expect(await refusal(sendStill(server, s))).toMatchObject({ status: 403, code: 'forbidden' })
    })

    it('keeps nothing when consent is withdrawn while the bytes are on their way into the store', async () => {
      const withdrawing = await withdrawDuringPut(engine)
      try {
        const call = sendStill(withdrawing.server, withdrawing.session)
        expect(await refusal(call)).toMatchObject({ status: 403, code: 'forbidden' })
        expect(await withdrawing.files()).toEqual([])
      } finally {
        await withdrawing.stop()
      }
    })

    it('after the end takes what was captured before it for 24 hours, and nothing captured after', async () => {
      const s = await session()
      const capturedAt = iso(server.clock.now())
      server.clock.advance(1000)
      await s.api.call('sessions.end', { params: { id: s.id } })
      server.clock.advance(23 * hour)
      expect(await refusal(sendStill(server, s))).toEqual({ status: 400, code: 'invalid_request', path: 'capturedAt' })
      expect((await sendStill(server, s, { capturedAt })).status).toBe(201)
      server.clock.advance(hour)
      expect(await refusal(sendStill(server, s, { capturedAt }))).toMatchObject({ status: 401 })
    })

    it('refuses the token of another session as if this one were not there', async () => {
      const s = await session()
      const other = await session()
      const raw = await buildStill(server)
      const call = other.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw })
      expect(await refusal(call)).toEqual({ status: 404, code: 'not_found' })
    })

    it('replays its answer for the same Idempotency-Key without storing anything again', async () => {
      const s = await session()
      const raw = await buildStill(server)
      const send = () =>
        s.agent.call('agent.screenshots.upload', { params: { id: s.id }, raw, idempotencyKey: 'still-1' })
      const first = await send()
      const files = (await storedFiles(server)).length
      const again = await send()
      expect(again.status).toBe(201)
      expect(again.data).toEqual(first.data)
      expect(again.headers.get('idempotency-replayed')).toBe('true')
      expect(await storedFiles(server)).toHaveLength(files)
    })
  })

  describe('the other small uploads', () => {
    it('a declined lane is refused and the others are not', async () => {
      const s = await session({ declined: ['microphone', 'camera'] })
      const params = { id: s.id }
      const bytes = film(2000)
      const sound = {
        clientId: newClientId(),
        sequence: 0,
        startedAt: iso(server.clock.now()),
        durationMs: 5000,
        codec: 'opus',
        sha256: sha256(bytes),
      }
      const chunk = s.agent.call('agent.audioChunks.upload', {
        params,
        raw: { bytes, contentType: 'audio/webm', meta: sound },
      })
      expect(await refusal(chunk)).toEqual({ status: 403, code: 'forbidden' })
      const frame = s.agent.call('agent.cameraFrames.upload', { params, raw: await buildStill(server) })
      expect(await refusal(frame)).toEqual({ status: 403, code: 'forbidden' })
      expect((await sendStill(server, s)).status).toBe(201)
    })

    it('sound comes back in playback order with sequence, codec and length, however late it was sent', async () => {
      const s = await session()
      const start = server.clock.now()
      const send = (sequence: number) => {
        const bytes = film(1500 + sequence)
        const meta = {
          clientId: newClientId(),
          sequence,
          startedAt: iso(start + sequence * 5000),
          durationMs: 5000,
          codec: 'opus',
          sha256: sha256(bytes),
        }
        return s.agent.call('agent.audioChunks.upload', {
          params: { id: s.id },
          raw: { bytes, contentType: 'audio/webm', meta },
        })
      }
      for (const sequence of [2, 0, 3, 1]) await send(sequence)
      const portal = createClient({ baseUrl: server.url })
      const read = async (offset: number) => {
        const query = { limit: 2, offset }
        const headers = await portalCookie(server, 'reviewer', s.orgId)
        return (await portal.call('portal.audioChunks.list', { params: { id: s.id }, query, headers })).data
      }
      const items = [...(await read(0)).items, ...(await read(2)).items]
      expect(items.map(({ metadata }) => metadata['sequence'])).toEqual([0, 1, 2, 3])
      expect(items[1]).toMatchObject({
        durationMs: 5000,
        capturedAt: iso(start + 5000),
        metadata: { codec: 'opus', durationMs: 5000 },
      })
      expect((await read(0)).total).toBe(4)
    })

    it('camera frames and clips are stored, each in its own list', async () => {
      const s = await session({ config: { camera: { clips: true } } })
      const params = { id: s.id }
      const { data: frame } = await s.agent.call('agent.cameraFrames.upload', { params, raw: await buildStill(server) })
      const bytes = film(5000)
      const meta = {
        clientId: newClientId(),
        capturedAt: iso(server.clock.now()),
        durationMs: 10_000,
        codec: 'vp8',
        sha256: sha256(bytes),
      }
      const { data: clip } = await s.agent.call('agent.cameraClips.upload', {
        params,
        raw: { bytes, contentType: 'video/webm', meta },
      })
      const portal = createClient({ baseUrl: server.url })
      const headers = await portalCookie(server, 'reviewer', s.orgId)
      expect((await portal.call('portal.cameraFrames.list', { params, headers })).data.items).toEqual([frame])
      expect((await portal.call('portal.cameraClips.list', { params, headers })).data.items).toEqual([clip])
      expect((await portal.call('portal.screenshots.list', { params, headers })).data).toMatchObject({
        items: [],
        total: 0,
      })
      expect((await portal.call('portal.evidence.list', { params, headers })).data.items).toEqual([frame, clip])
    })

    it("the room's camera needs the room's own consent, whatever the agent's was", async () => {
      const s = await session()
      const { data: device } = await s.api.call('sessions.roomDevices.create', { params: { id: s.id } })
      const room = server.client(device.roomToken)
      const send = async () =>
        room.call('agent.cameraFrames.upload', { params: { id: s.id }, raw: await buildStill(server) })
      expect(await refusal(send())).toEqual({ status: 403, code: 'forbidden' })
      await agreeTo(server, s, 'room_camera')
      expect((await send()).status).toBe(201)
    })
  })

  describe('sessions.evidence.list', () => {
    it('pages stably over dense positions, of all types and of one', async () => {
      const s = await session()
      const frame = async () =>
        s.agent.call('agent.cameraFrames.upload', { params: { id: s.id }, raw: await buildStill(server) })
      const sent = await Promise.all(
        Array.from({ length: 12 }, (_, i) => (i % 3 === 0 ? frame() : sendStill(server, s))),
      )
      const pages = await Promise.all([0, 5, 10].map((offset) => list(s, { limit: 5, offset })))
      const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
      expect(ids).toHaveLength(12)
      expect(new Set(ids)).toEqual(new Set(sent.map(({ data }) => data.id)))
      expect(pages.map(({ total }) => total)).toEqual([12, 12, 12])
      const frames = await list(s, { limit: 3, offset: 1, evidence_type: 'camera_frame' })
      expect(frames.items.map(({ evidenceType }) => evidenceType)).toEqual([
        'camera_frame',
        'camera_frame',
        'camera_frame',
      ])
      expect(frames.total).toBe(4)
      expect((await list(s, { offset: 100_000 })).items).toEqual([])
      const positions = await server.app.db.reader.all<{ p: number }>(
        'SELECT position AS p FROM evidence WHERE session_id = ? ORDER BY position',
        [s.id],
      )
      expect(positions.map(({ p }) => p)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
    })

    it('refuses an unknown type and a limit out of range', async () => {
      const s = await session()
      expect(await refusal(list(s, { evidence_type: 'keystrokes' }))).toMatchObject({
        status: 400,
        path: 'evidence_type',
      })
      expect(await refusal(list(s, { limit: 101 }))).toMatchObject({ status: 400, path: 'limit' })
    })
  })

  describe('another organisation and the other environment', () => {
    it('find nothing: not in lists, not by id, not by URL', async () => {
      const s = await session()
      const { data } = await sendStill(server, s)
      const url = await download(s, data.id)
      for (const key of [server.orgs[1].sandboxKey, server.orgs[0].liveKey]) {
        const stranger = server.client(key)
        const params = { id: data.id }
        const calls = [
          () => stranger.call('sessions.evidence.list', { params: { id: s.id } }),
          () => stranger.call('sessions.systemAudio.list', { params: { id: s.id } }),
          () => stranger.call('evidence.get', { params }),
          () => stranger.call('evidence.downloadUrl', { params }),
        ]
        for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404, code: 'not_found' })
      }
      const portal = createClient({ baseUrl: server.url })
      const headers = await portalCookie(server, 'reviewer', server.orgs[1].orgId)
      const call = portal.call('portal.evidence.content', { params: { id: data.id }, headers })
      expect(await refusal(call)).toMatchObject({ status: 404 })
      expect((await bytesOf(url)).status).toBe(200)
    })
  })

  describe('evidence.content', () => {
    const stored = async (size: number) => {
      const s = await session({ config: { camera: { clips: true } } })
      const bytes = film(size)
      const meta = {
        clientId: newClientId(),
        capturedAt: iso(server.clock.now()),
        durationMs: 1000,
        sha256: sha256(bytes),
      }
      const raw = { bytes, contentType: 'video/webm', meta }
      const { data } = await s.agent.call('agent.cameraClips.upload', { params: { id: s.id }, raw })
      return { s, bytes, id: data.id, url: await download(s, data.id) }
    }

    it('sends an attachment that nobody may keep or sniff', async () => {
      const { bytes, id, url } = await stored(200_000)
      const answer = await bytesOf(url)
      expect(answer.status).toBe(200)
      expect(answer.bytes.equals(bytes)).toBe(true)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'video/webm',
        'content-length': '200000',
        'content-disposition': `attachment; filename="camera-clip-${id}.webm"`,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'accept-ranges': 'bytes',
      })
    })

    it('sends one range, also over the borders of sealed chunks', async () => {
      const { bytes, url } = await stored(200_000)
      const ranges: [string, number, number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=65530-65545', 65_530, 65_546],
        ['bytes=131072-', 131_072, 200_000],
        ['bytes=-7', 199_993, 200_000],
        ['bytes=199999-300000', 199_999, 200_000],
      ]
      for (const [range, start, end] of ranges) {
        const answer = await bytesOf(url, { range })
        expect(answer.status).toBe(206)
        expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/200000`)
        expect(answer.headers.get('content-length')).toBe(String(end - start))
        expect(answer.bytes.equals(bytes.subarray(start, end))).toBe(true)
      }
    })

    it('answers 416 with the size beyond the end, and the whole for what is not one range', async () => {
      const { bytes, url } = await stored(1000)
      const beyond = await bytesOf(url, { range: 'bytes=1000-' })
      expect(beyond.status).toBe(416)
      expect(beyond.headers.get('content-range')).toBe('bytes */1000')
      for (const range of ['bytes=0-1,5-6', 'bytes=9-1', 'lines=1-2']) {
        const answer = await bytesOf(url, { range })
        expect([answer.status, answer.bytes.equals(bytes)]).toEqual([200, true])
      }
    })

    it('honours If-Range: the range of the same content, the whole of another', async () => {
      const { url } = await stored(1000)
      const etag = (await bytesOf(url)).headers.get('etag')!
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
    })

    it('answers HEAD with the headers alone', async () => {
      const { url } = await stored(1234)
      const answer = await fetch(url, { method: 'HEAD' })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-length')).toBe('1234')
      expect((await answer.arrayBuffer()).byteLength).toBe(0)
    })

    it('is audited with who, which and what range', async () => {
      const { s, id, url } = await stored(1000)
      await bytesOf(url, { range: 'bytes=10-19' })
      const trail = await auditOf(server, s)
      expect(trail.map(({ action }) => action)).toContain('evidence.download_link_created')
      expect(trail.at(-1)).toEqual({
        action: 'evidence.downloaded',
        target: id,
        actor: 'download',
        payload: { start: 10, end: 20, sizeBytes: 1000 },
      })
    })

    it('refuses a tampered, a foreign and an expired token', async () => {
      const { s, id, url } = await stored(1000)
      const other = await sendStill(server, s)
      const token = new URL(url).searchParams.get('token')!
      const at = `${server.url}/v1/api/evidence`
      const middle = Math.floor(token.length / 2)
      const flipped = token.slice(0, middle) + (token[middle] === 'A' ? 'B' : 'A') + token.slice(middle + 1)
      expect((await bytesOf(`${at}/${id}/content?token=${flipped}`)).status).toBe(401)
      expect((await bytesOf(`${at}/${id}/content`)).status).toBe(401)
      expect((await bytesOf(`${at}/${other.data.id}/content?token=${token}`)).status).toBe(404)
      server.clock.advance(5 * 60_000 - 1)
      expect((await bytesOf(url)).status).toBe(200)
      server.clock.advance(1)
      expect((await bytesOf(url)).status).toBe(401)
    })

    it('gives nothing of an object whose stored bytes were changed or cut', async () => {
      const before = new Set(await storedFiles(server, 'objects'))
      const { url } = await stored(100_000)
      const file = (await storedFiles(server, 'objects')).find((name) => !before.has(name))!
      const handle = await open(file, 'r+')
      const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 500)
      await handle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, 500)
      await handle.close()
      expect((await bytesOf(url)).status).toBe(500)
      await truncate(file, (await stat(file)).size - 1)
      expect((await bytesOf(url, { range: 'bytes=-10' })).status).toBe(500)
    })

    it('a reader that leaves early does the next one no harm', async () => {
      const { url } = await stored(8 * 1024 * 1024)
      const answer = await fetch(url)
      const reader = answer.body!.getReader()
      await reader.read()
      await reader.cancel()
      expect((await bytesOf(url, { range: 'bytes=0-9' })).status).toBe(206)
    })
  })

  describe('portal.evidence.content', () => {
    it('gives the bytes to who may view evidence', async () => {
      const s = await session()
      const bytes = await picture()
      const { data } = await sendStill(server, s, { bytes })
      const portal = createClient({ baseUrl: server.url })
      const answer = await portal.call('portal.evidence.content', {
        params: { id: data.id },
        headers: await portalCookie(server, 'reviewer', s.orgId),
      })
      expect(Buffer.from(answer.data as Uint8Array).equals(bytes)).toBe(true)
      expect((await auditOf(server, s)).at(-1)).toMatchObject({ action: 'evidence.downloaded', actor: 'user' })
    })
  })

  describe('sessions.erase', () => {
    it('leaves tombstones, takes keys at once and bytes soon after, and answers the same again', async () => {
      const s = await session()
      const { data: one } = await sendStill(server, s, { displayId: 'display-1' })
      const { data: two } = await sendStill(server, s)
      const url = await download(s, one.id)
      await s.api.call('sessions.end', { params: { id: s.id } })
      const files = (await storedFiles(server)).length
      const { data: erased } = await s.api.call('sessions.erase', { params: { id: s.id } })
      expect(erased).toMatchObject({ erasedObjects: 2, erasedBytes: one.sizeBytes + two.sizeBytes })
      expect((await bytesOf(url)).status).toBe(404)
      await server.processAll()
      expect(await storedFiles(server)).toHaveLength(files - 2)
      const { items, total } = await list(s)
      expect(total).toBe(2)
      expect(items.map(({ erasedAt, metadata }) => [erasedAt, metadata])).toEqual([
        [erased.erasedAt, {}],
        [erased.erasedAt, {}],
      ])
      expect(await evidenceInventory(server.app.db.reader, scopeOf(s), s.id)).toEqual([
        { evidenceType: 'screenshot', objects: 2, sizeBytes: 0, erasedObjects: 2 },
      ])
      server.clock.advance(1000)
      expect((await s.api.call('sessions.erase', { params: { id: s.id } })).data).toEqual(erased)
      const capturedAt = one.capturedAt
      expect(await refusal(sendStill(server, s, { capturedAt }))).toMatchObject({ status: 409, code: 'conflict' })
    })

    it('leaves the evidence of other sessions alone, even with the same bytes', async () => {
      const bytes = await picture()
      const [s, other] = [await session(), await session()]
      await sendStill(server, s, { bytes })
      const { data } = await sendStill(server, other, { bytes })
      await s.api.call('sessions.end', { params: { id: s.id } })
      await s.api.call('sessions.erase', { params: { id: s.id } })
      await server.processAll()
      expect((await bytesOf(await download(other, data.id))).bytes.equals(bytes)).toBe(true)
    })
  })
}

/** A server whose store has the candidate withdraw consent while it stores. */
const withdrawDuringPut = async (engine: Engine) => {
  let withdraw = async (): Promise<void> => undefined
  class WithdrawingStore extends LocalStore {
    override async put(...args: Parameters<LocalStore['put']>): Promise<void> {
      await super.put(...args)
      await withdraw()
    }
  }
  const root = await mkdtemp(join(tmpdir(), 'withdrawing-'))
  const server = await startServer({ engine, overrides: { store: new WithdrawingStore(root) } })
  const session = await buildCaptureSession(server)
  withdraw = async () => {
    await server.app.db.transact((tx) =>
      tx.run("UPDATE sessions SET consent = 'null' WHERE session_id = ?", [session.id]),
    )
  }
  const stop = async () => {
    await server.stop()
    await rm(root, { recursive: true })
  }
  return { server, session, stop, files: () => filesBelow(root) }
}

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`evidence (${engine})`, () => flows(engine))
