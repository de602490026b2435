import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evidenceInventory } from '../../../src/domains/recording/evidence/evidence.service.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import {
  agreeTo,
  buildStill,
  type CaptureSession,
  film,
  iso,
  newClientId,
  picture,
  refusal,
  sendStill,
  sha256,
  storedFiles,
} from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from './downloads.test-support.ts'
import { evidenceOf, scopeOf } from './evidence.test-support.ts'

const flows = (engine: Engine) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ engine })
  })
  afterAll(() => server.stop())

  const { session, list, download } = evidenceOf(() => server)

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

    const clip = (s: CaptureSession, bytes: Buffer) => {
      const at = iso(server.clock.now())
      const meta = { clientId: newClientId(), capturedAt: at, durationMs: 1000, sha256: sha256(bytes) }
      const raw = { bytes, contentType: 'video/webm', meta }
      return s.agent.call('agent.cameraClips.upload', { params: { id: s.id }, raw })
    }

    it('bytes of another kind than they are said to be are refused', async () => {
      const s = await session({ config: { camera: { clips: true } } })
      expect(await refusal(clip(s, Buffer.alloc(2000, 1)))).toMatchObject({ status: 400 })
      expect((await clip(s, film(2000))).status).toBe(201)
    })

    it('the same bytes that come twice at once lie in the store once', async () => {
      const s = await session({ config: { camera: { clips: true } } })
      const before = (await storedFiles(server, 'objects')).length
      const bytes = film(3000)
      await Promise.all([clip(s, bytes), clip(s, bytes), clip(s, bytes)])
      await server.processAll()
      expect((await storedFiles(server, 'objects')).length - before).toBe(1)
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

    it('system audio comes in one request too, into a list of its own', async () => {
      const s = await session()
      const bytes = film(1700)
      const meta = { clientId: newClientId(), sequence: 0, startedAt: iso(server.clock.now()), durationMs: 5000 }
      const raw = { bytes, contentType: 'audio/webm', meta: { ...meta, codec: 'opus', sha256: sha256(bytes) } } as const
      const send = () => s.agent.call('agent.systemAudio.upload', { params: { id: s.id }, raw })
      expect((await send()).status).toBe(201)
      expect((await send()).status).toBe(200)
      const lists = ['sessions.systemAudio.list', 'sessions.evidence.list'] as const
      const [ofLane, all] = await Promise.all(
        lists.map(async (id) => (await s.api.call(id, { params: { id: s.id } })).data.items),
      )
      expect(ofLane).toMatchObject([
        { evidenceType: 'system_audio_chunk', durationMs: 5000, metadata: { codec: 'opus' } },
      ])
      expect(all).toHaveLength(1)
      const declined = await session({ declined: ['system_audio'] })
      const refused = declined.agent.call('agent.systemAudio.upload', { params: { id: declined.id }, raw })
      expect(await refusal(refused)).toEqual({ status: 403, code: 'forbidden' })
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
      expect(await evidenceInventory({ reader: server.app.db.reader, scope: scopeOf(s) }, s.id)).toEqual([
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

for (const engine of everyEngine()) describe(`evidence (${engine})`, () => flows(engine))
