import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@integrity/protocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileKeyStore } from '../spool/key-store.ts'
import { Spool } from '../spool/spool.ts'
import { ManualClock } from '../spool/testing/manual-clock.ts'
import type { SpoolInput } from '../spool/types.ts'
import { EvidenceService } from './testing/evidence-service.ts'
import { failure, ScriptedServer } from './testing/scripted-server.ts'
import { Uploader, type UploaderOptions } from './uploader.ts'

let dir: string
let clock: ManualClock
let spool: Spool
let service: EvidenceService
let server: ScriptedServer
let baseUrl: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'uploader-'))
  clock = new ManualClock()
  spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), clock })
  service = new EvidenceService()
  server = new ScriptedServer(service.handle)
  baseUrl = await server.listen()
})
afterEach(async () => {
  await spool.close()
  await server.close()
  await rm(dir, { recursive: true, force: true })
})

const buildUploader = (overrides: Partial<UploaderOptions> = {}): Uploader =>
  new Uploader({
    spool,
    client: createClient({ baseUrl, token: 'sst_test' }),
    sessionId: 'ses_1',
    clock,
    random: () => 1,
    ...overrides,
  })

const put = (overrides: Partial<SpoolInput> = {}) =>
  spool.put({
    kind: 'screenshot',
    lane: 'screen',
    displayId: ':1.0',
    capturedAt: clock.wallMs(),
    monotonicMs: 0,
    contentType: 'image/webp',
    bytes: randomBytes(2500),
    meta: { width: 1920, height: 1080 },
    ...overrides,
  })

const clip = (size = 2500) =>
  put({ kind: 'screen_clip', contentType: 'video/mp4', durationMs: 10_000, bytes: randomBytes(size) })

const putEvents = (count: number) =>
  spool.putEvents(
    Array.from({ length: count }, (_, index) => ({
      kind: 'display.added',
      observedAt: clock.wallMs(),
      monotonicMs: index,
      source: 'displays',
      data: { index },
    })),
  )

const paths = () => server.seen.map((request) => `${request.method} ${request.path}`)

describe('uploader', () => {
  it('sends small items as raw bytes with their metadata beside them and removes them once acknowledged', async () => {
    const stored = await put({ displayId: 'Bildschirm ü' })
    await buildUploader().processAll()
    const [request] = server.seen
    expect(request?.path).toBe('/v1/sessions/ses_1/screenshots')
    expect(request?.headers).toMatchObject({ authorization: 'Bearer sst_test', 'content-type': 'image/webp' })
    expect(JSON.parse(String(request?.headers['x-service-evidence-meta']))).toEqual({
      clientId: stored.clientId,
      contentType: 'image/webp',
      sha256: stored.sha256,
      capturedAt: '2026-03-02T09:00:00.000Z',
      displayId: 'Bildschirm ?',
      width: 1920,
      height: 1080,
    })
    expect(service.stored.get(stored.clientId)).toHaveLength(2500)
    expect(spool.remaining().items).toBe(0)
  })

  it('sends each kind to its own endpoint', async () => {
    await put()
    await put({ kind: 'audio_chunk', lane: 'microphone', contentType: 'audio/webm', durationMs: 5000 })
    await put({ kind: 'camera_frame', lane: 'camera' })
    await put({ kind: 'camera_clip', lane: 'camera', contentType: 'video/mp4', durationMs: 5000 })
    await buildUploader().processAll()
    expect(paths().sort()).toEqual([
      'POST /v1/sessions/ses_1/audio-chunks',
      'POST /v1/sessions/ses_1/camera/clips',
      'POST /v1/sessions/ses_1/camera/frames',
      'POST /v1/sessions/ses_1/screenshots',
    ])
    const sound = server.seen.find((request) => request.path.endsWith('audio-chunks'))
    expect(JSON.parse(String(sound?.headers['x-service-evidence-meta']))).toMatchObject({
      sequence: 0,
      startedAt: '2026-03-02T09:00:00.000Z',
      durationMs: 5000,
      codec: 'opus',
    })
  })

  it('sends events before items that are older, in batches of at most 500', async () => {
    await put()
    putEvents(600)
    await buildUploader().processAll()
    expect(paths()[0]).toBe('POST /v1/sessions/ses_1/events')
    expect(service.events.size).toBe(600)
    expect(paths().filter((path) => path.endsWith('/events'))).toHaveLength(2)
    expect(spool.remaining()).toMatchObject({ events: 0, items: 0 })
  })

  it('never has more than three requests under way', async () => {
    let underWay = 0
    let most = 0
    server.onRequest = async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise<void>((resolve) => setImmediate(resolve))
      underWay -= 1
    }
    putEvents(3)
    for (let index = 0; index < 12; index += 1) await put()
    await buildUploader().processAll()
    expect(service.stored.size).toBe(12)
    expect(most).toBeLessThanOrEqual(3)
  })

  it('sends again what the server stored while its answer got lost, under the same clientId', async () => {
    const stored = await put()
    server.script.push('lose_answer')
    const uploader = buildUploader()
    await uploader.processAll()
    expect(spool.remaining().items).toBe(1)
    clock.advance(1000)
    await uploader.processAll()
    expect(spool.remaining().items).toBe(0)
    expect([...service.stored.keys()]).toEqual([stored.clientId])
    expect(server.seen).toHaveLength(2)
  })

  it('sends again what was cut off in the middle of its body', async () => {
    const stored = await put({ bytes: randomBytes(3_000_000) })
    server.script.push('hang_up')
    const uploader = buildUploader()
    await uploader.processAll()
    expect(service.stored.size).toBe(0)
    clock.advance(1000)
    await uploader.processAll()
    expect(service.stored.get(stored.clientId)).toHaveLength(3_000_000)
  })

  it('waits at least Retry-After after a 429, with everything', async () => {
    await put()
    server.script.push({ ...failure(429, 'rate_limited'), headers: { 'retry-after': '7' } })
    const uploader = buildUploader({ random: () => 0 })
    await uploader.processAll()
    putEvents(1)
    clock.advance(6999)
    await uploader.processAll()
    expect(server.seen).toHaveLength(1)
    expect(uploader.status().state).toBe('waiting')
    clock.advance(1)
    await uploader.processAll()
    expect(spool.remaining()).toMatchObject({ events: 0, items: 0 })
  })

  it('obeys the backoff an answer asks for', async () => {
    service.backoffMs = 5000
    const uploader = buildUploader({ random: () => 0 })
    putEvents(1)
    await uploader.processAll()
    await put()
    await uploader.processAll()
    expect(service.stored.size).toBe(0)
    clock.advance(5000)
    await uploader.processAll()
    expect(service.stored.size).toBe(1)
  })

  it('backs off longer after each 500 and gives nothing up', async () => {
    await put()
    server.script.push(failure(500, 'internal_error'), failure(500, 'internal_error'))
    const uploader = buildUploader()
    await uploader.processAll()
    clock.advance(999)
    await uploader.processAll()
    expect(server.seen).toHaveLength(1)
    clock.advance(1)
    await uploader.processAll()
    expect(server.seen).toHaveLength(2)
    clock.advance(1999)
    await uploader.processAll()
    expect(server.seen).toHaveLength(2)
    clock.advance(1)
    await uploader.processAll()
    expect(spool.remaining().items).toBe(0)
  })

  it('does not let one item the server cannot take hold up the others', async () => {
    const first = await put()
    const second = await put()
    server.script.push(failure(500, 'internal_error'))
    await buildUploader().processAll()
    expect(service.stored.size).toBe(1)
    expect(spool.remaining().items).toBe(1)
    expect([first.clientId, second.clientId]).toContain([...service.stored.keys()][0])
  })

  it('sends one request at a time while nobody answers, and spreads the resumption after a long outage', async () => {
    for (let index = 0; index < 3; index += 1) await put()
    const uploader = buildUploader()
    server.script.push(...Array.from({ length: 20 }, () => 'lose_answer' as const))
    await uploader.processAll()
    const atOnce = server.seen.length
    expect(atOnce).toBeLessThanOrEqual(2)
    clock.advance(60_000)
    await uploader.processAll()
    expect(server.seen).toHaveLength(atOnce + 1)
    expect(uploader.status().state).toBe('offline')
    server.script.length = 0
    clock.advance(60_000)
    await uploader.processAll()
    expect(server.seen).toHaveLength(atOnce + 2)
    expect(spool.remaining().items).toBe(2)
    clock.advance(14_999)
    await uploader.processAll()
    expect(spool.remaining().items).toBe(2)
    clock.advance(1)
    await uploader.processAll()
    expect(spool.remaining().items).toBe(0)
  })

  it('keeps everything when something that is not the service answers, as a captive portal does', async () => {
    await put()
    const uploader = buildUploader()
    server.script.push({ status: 200, body: '<html>' }, { status: 403, body: '<html>' })
    await uploader.processAll()
    clock.advance(60_000)
    await uploader.processAll()
    expect(spool.remaining()).toMatchObject({ items: 1, refused: 0 })
  })

  it('refuses for good what the candidate declined and leaves nothing of it on the disk', async () => {
    const stored = await put()
    server.script.push(failure(403, 'forbidden'))
    const uploader = buildUploader()
    await uploader.processAll()
    clock.advance(600_000)
    await uploader.processAll()
    expect(server.seen).toHaveLength(1)
    expect(spool.remaining()).toMatchObject({ items: 0, refused: 1 })
    expect(spool.refusals()).toEqual([
      { clientId: stored.clientId, what: 'screenshot', reason: '403 forbidden: forbidden' },
    ])
  })

  it('stops at a 401 and says so', async () => {
    await put()
    await put()
    let told = 0
    server.script.push(failure(401, 'unauthorized'), failure(401, 'unauthorized'))
    const uploader = buildUploader({ onUnauthorized: () => (told += 1) })
    await uploader.processAll()
    clock.advance(600_000)
    await uploader.processAll()
    expect(told).toBe(1)
    expect(uploader.status().state).toBe('unauthorized')
    expect(server.seen.length).toBeLessThanOrEqual(2)
    expect(spool.remaining().items).toBe(2)
  })

  it('refuses only the events a refused batch names and sends the rest', async () => {
    const ids = putEvents(5)
    server.script.push(failure(400, 'invalid_request', [{ path: 'events.3.data', message: 'too large' }]))
    await buildUploader().processAll()
    expect([...service.events.keys()]).toEqual(ids.filter((_, index) => index !== 3))
    expect(spool.remaining()).toMatchObject({ events: 0, refused: 1 })
  })

  it('still tells of the recording when the candidate declined the signals', async () => {
    const at = { observedAt: clock.wallMs(), monotonicMs: 0, data: {} }
    const [, gap] = spool.putEvents([
      { ...at, kind: 'idle.started', source: 'idle' },
      { ...at, kind: 'lane.gap', source: 'lanes' },
    ])
    server.script.push(failure(403, 'forbidden'))
    await buildUploader().processAll()
    expect([...service.events.keys()]).toEqual([gap])
    expect(spool.remaining()).toMatchObject({ events: 0, refused: 1 })
  })

  it('finds the event at fault by halving when the refusal does not say which', async () => {
    const ids = putEvents(8)
    const bad = ids[5]!
    const refusing = new ScriptedServer((request) =>
      request.body.includes(bad) ? failure(400, 'invalid_request') : service.handle(request),
    )
    const client = createClient({ baseUrl: await refusing.listen(), token: 'sst_test' })
    try {
      await buildUploader({ client }).processAll()
    } finally {
      await refusing.close()
    }
    expect([...service.events.keys()].sort()).toEqual(ids.filter((id) => id !== bad).sort())
    expect(spool.remaining()).toMatchObject({ events: 0, refused: 1 })
  })
})

describe('chunked upload', () => {
  it('sends an item in parts and completes it', async () => {
    const stored = await clip(2500)
    await buildUploader().processAll()
    expect(paths()).toEqual([
      'POST /v1/sessions/ses_1/evidence',
      'POST /v1/uploads/upl_1/parts?index=0',
      'POST /v1/uploads/upl_1/parts?index=1',
      'POST /v1/uploads/upl_1/parts?index=2',
      'POST /v1/uploads/upl_1/complete',
    ])
    expect(JSON.parse(server.seen[0]!.body.toString())).toEqual({
      clientId: stored.clientId,
      evidenceType: 'screen_clip',
      sizeBytes: 2500,
      sha256: stored.sha256,
      contentType: 'video/mp4',
      capturedAt: '2026-03-02T09:00:00.000Z',
      durationMs: 10_000,
      metadata: { width: 1920, height: 1080, sequence: 0, displayId: ':1.0' },
    })
    expect(service.stored.get(stored.clientId)).toHaveLength(2500)
  })

  it('opens system audio at its own endpoint', async () => {
    await put({ kind: 'system_audio_chunk', lane: 'system_audio', contentType: 'audio/webm', durationMs: 5000 })
    await buildUploader().processAll()
    expect(paths()[0]).toBe('POST /v1/sessions/ses_1/system-audio-chunks')
    expect(spool.remaining().items).toBe(0)
  })

  it('sends only the missing parts after a restart of the agent', async () => {
    const stored = await clip(2500)
    const first = buildUploader()
    // Begin and part 0 succeed, part 1 is lost on the way.
    server.onRequest = (request) => {
      if (request.path.endsWith('index=0')) server.script.push('hang_up')
    }
    await first.processAll()
    await first.stop()
    await spool.close()
    server.onRequest = undefined
    server.seen.length = 0
    spool = await Spool.open({ dir, keyStore: fileKeyStore(dir), clock })
    await buildUploader().processAll()
    expect(paths()).toEqual([
      'GET /v1/uploads/upl_1',
      'POST /v1/uploads/upl_1/parts?index=1',
      'POST /v1/uploads/upl_1/parts?index=2',
      'POST /v1/uploads/upl_1/complete',
    ])
    expect(service.stored.get(stored.clientId)).toHaveLength(2500)
  })

  it('takes a completed upload as acknowledged when the answer to complete was lost', async () => {
    await clip(900)
    const uploader = buildUploader()
    server.onRequest = (request) => {
      if (request.path.endsWith('index=0')) server.script.push('lose_answer')
    }
    await uploader.processAll()
    expect(spool.remaining().items).toBe(1)
    clock.advance(1000)
    await uploader.processAll()
    expect(spool.remaining().items).toBe(0)
    expect(paths().at(-1)).toBe('GET /v1/uploads/upl_1')
  })

  it('sends the parts again that complete finds missing', async () => {
    const stored = await clip(2500)
    server.onRequest = (request) => {
      // The next request, part 2, is answered but not kept.
      if (request.path.endsWith('index=1')) {
        server.script.push({ status: 200, body: { success: true, data: { index: 2, receivedParts: [0, 1, 2] } } })
      }
    }
    await buildUploader().processAll()
    expect(paths().slice(4)).toEqual([
      'POST /v1/uploads/upl_1/complete',
      'GET /v1/uploads/upl_1',
      'GET /v1/uploads/upl_1',
      'POST /v1/uploads/upl_1/parts?index=2',
      'POST /v1/uploads/upl_1/complete',
    ])
    expect(service.stored.get(stored.clientId)).toHaveLength(2500)
  })

  it('begins anew when the server has forgotten the upload', async () => {
    const stored = await clip(900)
    const uploader = buildUploader()
    server.onRequest = (request) => {
      if (request.path.endsWith('/evidence') && server.seen.length === 1) server.script.push('hang_up')
    }
    await uploader.processAll()
    service.forgetUploads()
    clock.advance(1000)
    await uploader.processAll()
    expect(service.stored.get(stored.clientId)).toHaveLength(900)
    expect(spool.remaining().items).toBe(0)
  })

  it('counts bytes that are already there as sent', async () => {
    const bytes = randomBytes(900)
    await put({ kind: 'screen_clip', contentType: 'video/mp4', durationMs: 1000, bytes })
    await buildUploader().processAll()
    await put({ kind: 'screen_clip', contentType: 'video/mp4', durationMs: 1000, bytes })
    await buildUploader().processAll()
    expect(paths().filter((path) => path.endsWith('/complete'))).toHaveLength(1)
    expect(spool.remaining().items).toBe(0)
  })
})

describe('running uploader', () => {
  it('sends what is put while it runs, and stops without losing what is under way', async () => {
    const uploader = buildUploader()
    const arrived = Promise.withResolvers<void>()
    server.onRequest = () => arrived.resolve()
    uploader.start()
    await put()
    uploader.nudge()
    await arrived.promise
    await uploader.processAll()
    expect(spool.remaining().items).toBe(0)
    const reached = Promise.withResolvers<void>()
    server.onRequest = async () => {
      reached.resolve()
      await new Promise<void>(() => undefined)
    }
    const held = await put()
    uploader.nudge()
    await reached.promise
    await uploader.stop()
    expect(spool.nextItem()?.clientId).toBe(held.clientId)
  })
})
