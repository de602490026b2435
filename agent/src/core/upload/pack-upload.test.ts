import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure, success } from './test-support/scripted-server.ts'
import { UploadPlace } from './test-support/upload-place.ts'

let place: UploadPlace
beforeEach(async () => {
  place = await UploadPlace.open()
})
afterEach(() => place.close())

const packPath = 'POST /v1/sessions/ses_1/packs'
const small = Buffer.from('a small picture')
const levels = Buffer.from([0, 128, 255])
const sound = { kind: 'audio_chunk', lane: 'microphone', contentType: 'audio/webm', durationMs: 5000 } as const
const film = { kind: 'screen_clip', contentType: 'video/mp4', durationMs: 10_000 } as const

const putMany = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) ids.push((await place.put()).clientId)
  return ids
}

describe('a pack', () => {
  it('takes what waits of every kind in one request, each with what its own endpoint takes', async () => {
    const still = await place.put({ displayId: 'Bildschirm ü', small })
    const chunk = await place.put({ ...sound, levels })
    const clip = await place.put(film)
    const frame = await place.put({ kind: 'camera_frame', lane: 'camera', displayId: undefined })
    await place.buildUploader().processAll()
    expect(place.paths()).toEqual([packPath])
    expect(place.server.seen[0]?.headers).toMatchObject({ 'content-type': 'application/vnd.integrity.pack' })
    const at = '2026-03-02T09:00:00.000Z'
    const size = { width: 1920, height: 1080 }
    const of = ({ clientId, sha256 }: { clientId: string; sha256: string }) => ({ clientId, sha256 })
    expect(place.service.packs[0]?.map(({ head }) => head)).toEqual([
      {
        ...of(still),
        evidenceType: 'screenshot',
        contentType: 'image/webp',
        capturedAt: at,
        ...size,
        displayId: 'Bildschirm ?',
        small: small.toString('base64'),
      },
      {
        ...of(chunk),
        evidenceType: 'audio_chunk',
        contentType: 'audio/webm',
        startedAt: at,
        sequence: 0,
        durationMs: 5000,
        codec: 'opus',
        levels: 'AID/',
      },
      {
        ...of(clip),
        evidenceType: 'screen_clip',
        contentType: 'video/mp4',
        capturedAt: at,
        durationMs: 10_000,
        ...size,
        displayId: ':1.0',
        metadata: { ...size, sequence: 1, displayId: ':1.0' },
      },
      { ...of(frame), evidenceType: 'camera_frame', contentType: 'image/webp', capturedAt: at, ...size },
    ])
    expect([...place.service.stored.keys()]).toEqual([still, chunk, clip, frame].map(({ clientId }) => clientId))
    expect(place.spool.remaining().items).toBe(0)
  })

  it('leaves out a small picture and levels that the contract has no room for', async () => {
    await place.put({ small: Buffer.alloc(4097), levels: Buffer.alloc(6001) })
    await place.buildUploader().processAll()
    const head = place.service.packs[0]?.[0]?.head
    expect(head).toHaveProperty('clientId')
    expect(head).not.toHaveProperty('small')
    expect(head).not.toHaveProperty('levels')
  })

  it('waits for company, but not while somebody looks on', async () => {
    const uploader = place.buildUploader()
    await place.put()
    await uploader.processAll()
    await putMany(2)
    await uploader.processAll()
    expect(place.service.packs.map((pack) => pack.length)).toEqual([1])
    place.clock.advance(41_000)
    await uploader.processAll()
    expect(place.service.packs.map((pack) => pack.length)).toEqual([1, 2])
    uploader.atOnceFor(60_000)
    await place.put()
    await uploader.processAll()
    expect(place.service.packs.map((pack) => pack.length)).toEqual([1, 2, 1])
  })

  it('sends what is captured now beside hours that are left over, 64 items a request', async () => {
    const left = await putMany(300)
    let live: Promise<{ readonly clientId: string }> | undefined
    // No request is answered before the item is in the spool, however slow the disk is.
    place.server.onRequest = async () => {
      live ??= place.put()
      await live
    }
    const uploader = place.buildUploader()
    await uploader.processAll()
    // What is left of it is less than a pack.
    place.clock.advance(41_000)
    await uploader.processAll()
    expect(place.service.packs.length).toBeLessThanOrEqual(6)
    const order = [...place.service.stored.keys()]
    expect(order).toHaveLength(301)
    expect(order.indexOf(left[0]!)).toBeLessThan(65)
    expect(order.indexOf((await live)!.clientId)).toBeLessThan(200)
  })

  it('lets what is too large for it go as before', async () => {
    const large = await place.put({ ...film, bytes: randomBytes(2 * 1024 ** 2 + 1) })
    const item = await place.put()
    await place.buildUploader().processAll()
    expect(place.service.packs.flat().map(({ head }) => head.clientId)).toEqual([item.clientId])
    expect(place.paths()).toContain('POST /v1/sessions/ses_1/evidence')
    expect(place.service.stored.get(large.clientId)).toHaveLength(2 * 1024 ** 2 + 1)
  })

  it('counts what was sent, item by item', async () => {
    await place.put()
    await place.put(sound)
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(uploader.status()).toMatchObject({
      sentItems: 2,
      sentBytes: 5000,
      sentByKind: { screenshot: 1, audio_chunk: 1 },
    })
  })
})

describe('an item of a pack', () => {
  const refuse = (clientId: string | undefined, code: string, retryAfterSeconds?: number) =>
    place.service.refusals.set(clientId!, { code, ...(retryAfterSeconds && { retryAfterSeconds }) })

  it('that is refused for good keeps no other out', async () => {
    const [, bad, , declined] = await putMany(5)
    refuse(bad, 'invalid_request')
    refuse(declined, 'forbidden')
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.service.stored.size).toBe(3)
    expect(place.spool.remaining()).toMatchObject({ items: 0, refused: 2 })
    expect(place.spool.refusals()).toEqual([
      { clientId: bad, what: 'screenshot', reason: '400 invalid_request: invalid_request' },
      { clientId: declined, what: 'screenshot', reason: '403 forbidden: forbidden' },
    ])
    place.clock.advance(600_000)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(1)
  })

  it('that fails for now is tried again later, and in the end alone', async () => {
    const [bad] = await putMany(3)
    refuse(bad, 'internal_error')
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(uploader.status().state).toBe('idle')
    expect(place.spool.remaining().items).toBe(1)
    for (let tries = 0; tries < 4; tries += 1) {
      place.clock.advance(60_000)
      await uploader.processAll()
    }
    expect(place.service.packs.map((pack) => pack.length)).toEqual([3, 1, 1])
    expect(place.paths().at(-1)).toBe('POST /v1/sessions/ses_1/screenshots')
    expect(place.spool.remaining().items).toBe(0)
  })

  it('that the service asks to wait for holds everything up as long', async () => {
    const [busy] = await putMany(2)
    refuse(busy, 'rate_limited', 7)
    const uploader = place.buildUploader({ random: () => 0 })
    await uploader.processAll()
    expect(uploader.status().state).toBe('waiting')
    place.service.refusals.clear()
    place.clock.advance(6999)
    await uploader.processAll()
    expect(place.server.seen).toHaveLength(1)
    place.clock.advance(1)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
  })

  it('whose session is gone tells so once', async () => {
    let told = 0
    for (const id of await putMany(3)) refuse(id, 'not_found')
    await place.buildUploader({ onGone: () => (told += 1) }).processAll()
    expect(told).toBe(1)
  })

  it('whose file is lost is recorded, and its neighbours arrive', async () => {
    const [lost, kept] = await putMany(2)
    const read = place.spool.read.bind(place.spool)
    place.spool.read = async (item) => {
      if (item.clientId === lost) await place.loseFile(item.clientId)
      return read(item)
    }
    await place.buildUploader().processAll()
    expect([...place.service.stored.keys()]).toEqual([kept])
    expect(place.spool.remaining().items).toBe(0)
    expect([...place.service.events.values()].map(({ kind }) => kind)).toEqual(['spool.lost'])
  })
})

describe('a pack as a whole', () => {
  it('whose answer got lost is sent again, and stores nothing twice', async () => {
    const ids = await putMany(3)
    place.server.script.push('lose_answer')
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(3)
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.service.packs).toHaveLength(2)
    expect([...place.service.stored.keys()]).toEqual(ids)
    expect(place.spool.remaining().items).toBe(0)
  })

  it('is held up by a 500 and comes again, item by item in the end', async () => {
    await putMany(3)
    place.server.script.push(...Array.from({ length: 3 }, () => failure(500, 'internal_error')))
    const uploader = place.buildUploader()
    for (let tries = 0; tries < 8; tries += 1) {
      await uploader.processAll()
      place.clock.advance(60_000)
    }
    expect(place.paths()).toEqual([
      packPath,
      packPath,
      packPath,
      ...Array(3).fill('POST /v1/sessions/ses_1/screenshots'),
    ])
    expect(place.spool.remaining().items).toBe(0)
  })

  it.each([400, 403, 409])(
    'that is refused with %i says nothing of its items: each is asked for alone',
    async (status) => {
      const [first] = await putMany(3)
      place.server.script.push(
        failure(status, status === 400 ? 'invalid_request' : status === 403 ? 'forbidden' : 'conflict'),
      )
      place.server.onRequest = ({ path }) => {
        if (path.endsWith('/packs')) place.server.script.push(failure(403, 'forbidden'))
      }
      await place.buildUploader().processAll()
      expect(place.spool.refusals()).toMatchObject([{ clientId: first }])
      expect(place.service.stored.size).toBe(2)
    },
  )

  it('gets smaller where somebody between takes no large request', async () => {
    const bytes = 300_000
    for (let n = 0; n < 6; n += 1) await place.put({ bytes: randomBytes(bytes) })
    place.server.limitBytes = 1_000_000
    const uploader = place.buildUploader()
    for (let looks = 0; looks < 2; looks += 1) {
      await uploader.processAll()
      place.clock.advance(41_000)
    }
    expect(place.service.packs.map((pack) => pack.length)).toEqual([3, 3])
    expect(place.spool.remaining()).toMatchObject({ items: 0, refused: 0 })
  })

  it('deletes nothing when the answer is about other items', async () => {
    await putMany(2)
    place.server.script.push(success({ items: [{ clientId: 'somebody-else', status: 'stored' }] }))
    place.server.script.push(success({ items: ['a', 'b'].map((clientId) => ({ clientId, status: 'known' })) }))
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(2)
    place.clock.advance(60_000)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(2)
    place.clock.advance(60_000)
    await uploader.processAll()
    expect(place.spool.remaining().items).toBe(0)
  })

  it('waits out somebody who is not the service', async () => {
    await putMany(2)
    place.server.script.push({ status: 200, body: '<html>' })
    const uploader = place.buildUploader()
    await uploader.processAll()
    expect(uploader.status().state).toBe('offline')
    place.clock.advance(1000)
    await uploader.processAll()
    expect(place.spool.remaining()).toMatchObject({ items: 0, refused: 0 })
  })
})

describe('a service without packs', () => {
  it.each([404, 405])('answers %i, and is served one by one', async (status) => {
    place.withoutPacks(status)
    let told = 0
    const [first, second] = await putMany(2)
    const uploader = place.buildUploader({ onGone: () => (told += 1) })
    await uploader.processAll()
    expect(new Set(place.service.stored.keys())).toEqual(new Set([first, second]))
    // What comes later waits for nothing either, and nobody asks for packs again so soon.
    place.server.aside = undefined
    await place.put()
    await uploader.processAll()
    expect(new Set(place.paths())).toEqual(new Set(['POST /v1/sessions/ses_1/screenshots']))
    expect([place.service.stored.size, told]).toEqual([3, 0])
  })

  it('is asked again after ten minutes', async () => {
    place.service.hasPacks = false
    await place.put()
    const uploader = place.buildUploader()
    await uploader.processAll()
    place.service.hasPacks = true
    place.clock.advance(600_000)
    await place.put()
    await uploader.processAll()
    expect(place.paths()).toEqual([packPath, 'POST /v1/sessions/ses_1/screenshots', packPath])
  })
})
