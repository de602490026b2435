import { randomBytes } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import { integrityEventKinds } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, ScriptedServer } from './test-support/scripted-server.ts'
import { UploadPlace } from './test-support/upload-place.ts'

let place: UploadPlace

beforeEach(async () => {
  place = await UploadPlace.open()
  place.withoutPacks()
})
afterEach(() => place.close())

describe('uploader', () => {
  it('sends small items as raw bytes with their metadata beside them and removes them once acknowledged', async () => {
    const stored = await place.put({ displayId: 'Bildschirm ü' })
    await place.buildUploader().processAll()
    const [request] = place.server.seen
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
    expect(place.service.stored.get(stored.clientId)).toHaveLength(2500)
    expect(place.spool.remaining().items).toBe(0)
  })

  it('sends each kind to its own endpoint', async () => {
    await place.put()
    await place.put({ kind: 'audio_chunk', lane: 'microphone', contentType: 'audio/webm', durationMs: 5000 })
    await place.put({ kind: 'system_audio_chunk', lane: 'system_audio', contentType: 'audio/webm', durationMs: 5000 })
    await place.put({ kind: 'camera_frame', lane: 'camera' })
    await place.put({ kind: 'camera_clip', lane: 'camera', contentType: 'video/mp4', durationMs: 5000 })
    await place.buildUploader().processAll()
    expect(place.paths().sort()).toEqual([
      'POST /v1/sessions/ses_1/audio-chunks',
      'POST /v1/sessions/ses_1/camera/clips',
      'POST /v1/sessions/ses_1/camera/frames',
      'POST /v1/sessions/ses_1/screenshots',
      'POST /v1/sessions/ses_1/system-audio-chunks/whole',
    ])
    const sound = place.server.seen.find((request) => request.path.endsWith('audio-chunks'))
    expect(JSON.parse(String(sound?.headers['x-service-evidence-meta']))).toMatchObject({
      sequence: 0,
      startedAt: '2026-03-02T09:00:00.000Z',
      durationMs: 5000,
      codec: 'opus',
    })
  })

  it('sends events before items that are older, in batches of at most 500', async () => {
    await place.put()
    place.putEvents(600)
    await place.buildUploader().processAll()
    expect(place.paths()[0]).toBe('POST /v1/sessions/ses_1/events')
    expect(place.service.events.size).toBe(600)
    expect(place.paths().filter((path) => path.endsWith('/events'))).toHaveLength(2)
    expect(place.spool.remaining()).toMatchObject({ events: 0, items: 0 })
  })

  it('sends what is captured now beside hours that are left over, not behind them', async () => {
    const left = []
    for (let index = 0; index < 20; index += 1) left.push((await place.put()).clientId)
    let live: Promise<{ readonly clientId: string }> | undefined
    // The sixth request and those after it wait until the item is in the spool, however slow the disk is.
    place.server.onRequest = async () => {
      if (place.server.seen.length < 6) return
      live ??= place.put()
      await live
    }
    await place.buildUploader().processAll()
    const order = [...place.service.stored.keys()]
    expect(order).toHaveLength(21)
    expect(order.indexOf((await live)?.clientId ?? '')).toBeLessThan(12)
    expect(order.indexOf(left[0] ?? '')).toBeLessThan(3)
  })

  it('never has more than three requests under way', async () => {
    let underWay = 0
    let most = 0
    place.server.onRequest = async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise<void>((resolve) => setImmediate(resolve))
      underWay -= 1
    }
    place.putEvents(3)
    for (let index = 0; index < 12; index += 1) await place.put()
    await place.buildUploader().processAll()
    expect(place.service.stored.size).toBe(12)
    expect(most).toBeLessThanOrEqual(3)
  })

  it('sends again what the server stored while its answer got lost, under the same clientId', async () => {
    const stored = await place.put()
    place.server.script.push('lose_answer')
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(1)
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
    expect([...place.service.stored.keys()]).toEqual([stored.clientId])
    expect(place.server.seen).toHaveLength(2)
  })

  it('sends again what was cut off in the middle of its body', async () => {
    const stored = await place.put({ bytes: randomBytes(3_000_000) })
    place.server.script.push('hang_up')
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.service.stored.size).toBe(0)
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.service.stored.get(stored.clientId)).toHaveLength(3_000_000)
  })

  it('waits at least Retry-After after a 429, with everything', async () => {
    await place.put()
    place.server.script.push({ ...failure(429, 'rate_limited'), headers: { 'retry-after': '7' } })
    const uploader = place.buildUploader({ random: () => 0 })
    await uploader.processAll()
    place.putEvents(1)
    place.clock.advance(6999)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(1)
    expect(uploader.status().state).toBe('waiting')
    place.clock.advance(1)
    await uploader.processAll()
    expect(place.spool.remaining()).toMatchObject({ events: 0, items: 0 })
  })

  it('obeys the backoff an answer asks for', async () => {
    place.service.backoffMs = 5000
    const uploader = place.buildUploader({ random: () => 0 })
    place.putEvents(1)
    await uploader.processAll()
    await place.put()
    await uploader.processAll()
    expect(place.service.stored.size).toBe(0)
    place.clock.advance(5000)
    await uploader.processAll()
    expect(place.service.stored.size).toBe(1)
  })

  it('backs off longer after each 500 and gives nothing up', async () => {
    await place.put()
    place.server.script.push(failure(500, 'internal_error'), failure(500, 'internal_error'))
    const uploader = place.buildUploader()
    await uploader.processAll()
    place.clock.advance(999)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(1)
    place.clock.advance(1)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(2)
    place.clock.advance(1999)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(2)
    place.clock.advance(1)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
  })

  it('waits a minute at most, however long nobody answers', async () => {
    await place.put()
    const uploader = place.buildUploader({ random: () => 1 })
    place.server.outage = 'lose_answer'
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await uploader.processAll()
      place.clock.advance(60_000)
    }
    const before = place.server.seen.length
    expect(before).toBe(10)
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await uploader.processAll()
      place.clock.advance(60_000)
    }
    expect(place.server.seen).toHaveLength(before + 5)
  })

  it('does not let one item the server cannot take hold up the others', async () => {
    const first = await place.put()
    const second = await place.put()
    place.server.script.push(failure(500, 'internal_error'))
    await place.buildUploader().processAll()
    expect(place.service.stored.size).toBe(1)
    expect(place.spool.remaining().items).toBe(1)
    expect([first.clientId, second.clientId]).toContain([...place.service.stored.keys()][0])
  })

  it('sends one request at a time while nobody answers, and spreads the resumption after a long outage', async () => {
    for (let index = 0; index < 3; index += 1) await place.put()
    const uploader = place.buildUploader()
    place.server.outage = 'lose_answer'
    await uploader.processAll()
    const atOnce = place.server.seen.length
    expect(atOnce).toBeLessThanOrEqual(2)
    place.clock.advance(60_000)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(atOnce + 1)
    expect(uploader.status().state).toBe('offline')
    place.server.outage = undefined
    place.clock.advance(60_000)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(atOnce + 2)
    expect(place.spool.remaining().items).toBe(2)
    place.clock.advance(14_999)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(2)
    place.clock.advance(1)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
  })

  it('keeps everything when something that is not the service answers, as a captive portal does', async () => {
    await place.put()
    const uploader = place.buildUploader()
    place.server.script.push({ status: 200, body: '<html>' }, { status: 403, body: '<html>' })
    await uploader.processAll()
    place.clock.advance(60_000)
    await uploader.processAll()
    expect(place.spool.remaining()).toMatchObject({ items: 1, refused: 0 })
  })

  it('refuses for good what the candidate declined and leaves nothing of it on the disk', async () => {
    const stored = await place.put()
    place.server.script.push(failure(403, 'forbidden'))
    const uploader = place.buildUploader()
    await uploader.processAll()
    place.clock.advance(600_000)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(1)
    expect(place.spool.remaining()).toMatchObject({ items: 0, refused: 1 })
    expect(place.spool.refusals()).toEqual([
      { clientId: stored.clientId, what: 'screenshot', reason: '403 forbidden: forbidden' },
    ])
  })

  it('tells that the session is not there any more, of which only the service can know', async () => {
    let told = 0
    const uploader = place.buildUploader({ onGone: () => (told += 1) })
    await place.put()
    place.server.script.push({ status: 404, body: 'a proxy does not know the way' })
    await uploader.processAll()
    expect(told).toBe(0)
    place.clock.advance(600_000)
    place.server.script.push(failure(404, 'not_found'))
    await uploader.processAll()
    expect(told).toBe(1)
  })

  it('sends one batch of events at a time, so that they come in their order', async () => {
    let underWay = 0
    let most = 0
    place.server.onRequest = async () => {
      underWay += 1
      most = Math.max(most, underWay)
      // Long enough for another, which would have been sent at the same moment, to come in.
      for (let turns = 0; turns < 300 && underWay === 1; turns += 1) {
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
      underWay -= 1
    }
    place.putEvents(1200)
    await place.buildUploader().processAll()
    expect(place.server.seen).toHaveLength(3)
    expect(most).toBe(1)
  })

  it('stops at a 401 and says so', async () => {
    await place.put()
    await place.put()
    let told = 0
    place.server.script.push(failure(401, 'unauthorized'), failure(401, 'unauthorized'))
    const uploader = place.buildUploader({ onUnauthorized: () => (told += 1) })
    await uploader.processAll()
    place.clock.advance(600_000)
    await uploader.processAll()
    expect(told).toBe(1)
    expect(uploader.status().state).toBe('unauthorized')
    expect(place.server.seen.length).toBeLessThanOrEqual(2)
    expect(place.spool.remaining().items).toBe(2)
  })

  it('refuses only the events a refused batch names and sends the rest', async () => {
    const ids = place.putEvents(5)
    place.server.script.push(failure(400, 'invalid_request', [{ path: 'events.3.data', message: 'too large' }]))
    await place.buildUploader().processAll()
    expect([...place.service.events.keys()]).toEqual(ids.filter((_, index) => index !== 3))
    expect(place.spool.remaining()).toMatchObject({ events: 0, refused: 1 })
  })

  it('still tells of the recording when the candidate declined the signals', async () => {
    const at = { observedAt: place.clock.wallMs(), monotonicMs: 0, data: {} }
    const kinds = Object.entries(integrityEventKinds)
    place.spool.putEvents(kinds.map(([kind]) => ({ ...at, kind, source: 'test' })))
    place.server.script.push(failure(403, 'forbidden'))
    await place.buildUploader().processAll()
    const aboutRecording = kinds.filter(([, facts]) => facts.aboutRecording).map(([kind]) => kind)
    expect(aboutRecording).toContain('permission.changed')
    expect([...place.service.events.values()].map(({ kind }) => kind)).toEqual(aboutRecording)
    expect(place.spool.remaining()).toMatchObject({ events: 0, refused: kinds.length - aboutRecording.length })
  })

  it('finds the event at fault by halving when the refusal does not say which', async () => {
    const ids = place.putEvents(8)
    const bad = ids[5]!
    const refusing = new ScriptedServer((request) =>
      request.body.includes(bad) ? failure(400, 'invalid_request') : place.service.handle(request),
    )
    const client = createClient({ baseUrl: await refusing.listen(), token: 'sst_test' })
    try {
      await place.buildUploader({ client }).processAll()
    } finally {
      await refusing.close()
    }
    expect([...place.service.events.keys()].sort()).toEqual(ids.filter((id) => id !== bad).sort())
    expect(place.spool.remaining()).toMatchObject({ events: 0, refused: 1 })
  })
})

describe('running uploader', () => {
  it('sends what is put while it runs, and stops without losing what is under way', async () => {
    const uploader = place.buildUploader()
    const arrived = Promise.withResolvers<void>()
    place.server.onRequest = () => arrived.resolve()
    uploader.start()
    await place.put()
    uploader.nudge()
    await arrived.promise
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
    const reached = Promise.withResolvers<void>()
    place.server.onRequest = async () => {
      reached.resolve()
      await new Promise<void>(() => undefined)
    }
    const held = await place.put()
    uploader.nudge()
    await reached.promise
    await uploader.stop()
    expect(place.spool.nextItem()?.clientId).toBe(held.clientId)
  })
})
