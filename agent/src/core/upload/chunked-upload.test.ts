import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from './test-support/scripted-server.ts'
import { UploadPlace } from './test-support/upload-place.ts'

let place: UploadPlace

beforeEach(async () => {
  place = await UploadPlace.open()
  place.withoutPacks()
})
afterEach(() => place.close())

const clip = (size = 2500) =>
  place.put({ kind: 'screen_clip', contentType: 'video/mp4', durationMs: 10_000, bytes: randomBytes(size) })

describe('chunked upload', () => {
  it('sends an item in parts and completes it', async () => {
    const stored = await clip(2500)
    await place.buildUploader().processAll()
    expect(place.paths()).toEqual([
      'POST /v1/sessions/ses_1/evidence',
      'POST /v1/uploads/upl_1/parts?index=0',
      'POST /v1/uploads/upl_1/parts?index=1',
      'POST /v1/uploads/upl_1/parts?index=2',
      'POST /v1/uploads/upl_1/complete',
    ])
    expect(JSON.parse(place.server.seen[0]!.body.toString())).toEqual({
      clientId: stored.clientId,
      evidenceType: 'screen_clip',
      sizeBytes: 2500,
      sha256: stored.sha256,
      contentType: 'video/mp4',
      capturedAt: '2026-03-02T09:00:00.000Z',
      durationMs: 10_000,
      metadata: { width: 1920, height: 1080, sequence: 0, displayId: ':1.0' },
    })
    expect(place.service.stored.get(stored.clientId)).toHaveLength(2500)
  })

  it('names one trace for the requests of an upload, another for the next, and records none', async () => {
    await clip()
    await clip()
    await place.buildUploader().processAll()
    const parents = place.server.seen.map(({ headers }) => String(headers['traceparent']))
    for (const parent of parents) expect(parent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(parents).toHaveLength(10)
    expect(new Set(parents).size).toBe(2)
  })

  it('opens system audio at its own endpoint', async () => {
    // Without its length it does not fit one request.
    await place.put({ kind: 'system_audio_chunk', lane: 'system_audio', contentType: 'audio/webm' })
    await place.buildUploader().processAll()
    expect(place.paths()[0]).toBe('POST /v1/sessions/ses_1/system-audio-chunks')
    expect(place.spool.remaining().items).toBe(0)
  })

  it('sends only the missing parts after a restart of the agent', async () => {
    const stored = await clip(2500)
    const first = place.buildUploader()
    // Begin and part 0 succeed, part 1 is lost on the way.
    place.server.onRequest = (request) => {
      if (request.path.endsWith('index=0')) place.server.script.push('hang_up')
    }
    await first.processAll()
    await first.stop()
    await place.spool.close()
    place.server.onRequest = undefined
    place.server.seen.length = 0
    await place.openAgain()
    await place.buildUploader().processAll()
    expect(place.paths()).toEqual([
      'GET /v1/uploads/upl_1',
      'POST /v1/uploads/upl_1/parts?index=1',
      'POST /v1/uploads/upl_1/parts?index=2',
      'POST /v1/uploads/upl_1/complete',
    ])
    expect(place.service.stored.get(stored.clientId)).toHaveLength(2500)
  })

  it('takes a completed upload as acknowledged when the answer to complete was lost', async () => {
    await clip(900)
    const uploader = place.buildUploader()
    place.server.onRequest = (request) => {
      if (request.path.endsWith('index=0')) place.server.script.push('lose_answer')
    }
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(1)
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
    expect(place.paths().at(-1)).toBe('GET /v1/uploads/upl_1')
  })

  it('sends the parts again that complete finds missing', async () => {
    const stored = await clip(2500)
    place.server.onRequest = (request) => {
      // The next request, part 2, is answered but not kept.
      if (request.path.endsWith('index=1')) {
        place.server.script.push({ status: 200, body: { success: true, data: { index: 2, receivedParts: [0, 1, 2] } } })
      }
    }
    await place.buildUploader().processAll()
    expect(place.paths().slice(4)).toEqual([
      'POST /v1/uploads/upl_1/complete',
      'GET /v1/uploads/upl_1',
      'POST /v1/uploads/upl_1/parts?index=2',
      'POST /v1/uploads/upl_1/complete',
    ])
    expect(place.service.stored.get(stored.clientId)).toHaveLength(2500)
  })

  it('begins anew when the whole is refused, and gives the item up when that happens a third time', async () => {
    await clip(900)
    const uploader = place.buildUploader()
    place.server.onRequest = (request) => {
      if (request.path.includes('/parts')) place.server.script.push(failure(400, 'invalid_request'))
    }
    const begun = () => place.paths().filter((path) => path.endsWith('/evidence')).length
    for (const times of [1, 2, 3]) {
      expect(place.spool.refusals()).toEqual([])
      await uploader.processAll()
      expect(begun()).toBe(times)
      place.clock.advance(60_000)
    }
    expect(place.spool.refusals()).toMatchObject([{ what: 'screen_clip' }])
  })

  it('begins anew when the server has forgotten the upload', async () => {
    const stored = await clip(900)
    const uploader = place.buildUploader()
    place.server.onRequest = (request) => {
      if (request.path.endsWith('/evidence') && place.server.seen.length === 1) place.server.script.push('hang_up')
    }
    await uploader.processAll()
    place.service.forgetUploads()
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.service.stored.get(stored.clientId)).toHaveLength(900)
    expect(place.spool.remaining().items).toBe(0)
  })

  it.each([failure(409, 'conflict'), failure(404, 'not_found')])(
    'begins anew when the upload expires between two parts ($status), and gives nothing up',
    async (answer) => {
      const stored = await clip(2500)
      let expired = false
      place.server.onRequest = (request) => {
        if (expired) return
        if (request.path.endsWith('index=0')) place.server.script.push(answer)
        if (!request.path.endsWith('index=1')) return
        expired = true
        place.service.forgetUploads()
      }
      await place.buildUploader().processAll()
      expect(place.paths().slice(2, 6)).toEqual([
        'POST /v1/uploads/upl_1/parts?index=1',
        'GET /v1/uploads/upl_1',
        'POST /v1/sessions/ses_1/evidence',
        'POST /v1/uploads/upl_1/parts?index=0',
      ])
      expect(place.service.stored.get(stored.clientId)).toHaveLength(2500)
      expect(place.spool.remaining().items).toBe(0)
    },
  )

  it('tries later, and refuses nothing, when the service finds parts missing time and again', async () => {
    const stored = await clip(900)
    const uploader = place.buildUploader()
    let finds = 3
    place.server.onRequest = (request) => {
      if (!request.path.endsWith('index=0') || finds === 0) return
      finds -= 1
      place.server.script.push(failure(409, 'conflict', [], { missingParts: [0] }))
    }
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(1)
    expect(place.paths().filter((path) => path.endsWith('/complete'))).toHaveLength(3)
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.service.stored.get(stored.clientId)).toHaveLength(900)
    expect(place.spool.remaining().items).toBe(0)
  })

  it('counts bytes that are already there as sent', async () => {
    const bytes = randomBytes(900)
    await place.put({ kind: 'screen_clip', contentType: 'video/mp4', durationMs: 1000, bytes })
    await place.buildUploader().processAll()
    await place.put({ kind: 'screen_clip', contentType: 'video/mp4', durationMs: 1000, bytes })
    await place.buildUploader().processAll()
    expect(place.paths().filter((path) => path.endsWith('/complete'))).toHaveLength(1)
    expect(place.spool.remaining().items).toBe(0)
  })
})
