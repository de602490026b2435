import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { createFilmEngine, type FilmEngine } from '../../../src/platform/film/film-engine.ts'
import { type CaptureSession, picture, sendStill, storedFiles } from '../../test-support/capture-session.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { makeMedia, makeTone } from '../../test-support/film-fixtures.ts'
import { packedSound, packedStill, sendPack } from '../../test-support/packs.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { scopeOf } from '../evidence/evidence.test-support.ts'
import { inDouble, storageOf } from '../storage/storage.test-support.ts'
import { reelsOf } from './reels.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`small pictures and levels that no sender made (${engine})`, () => {
    let server: TestServer
    let double: S3Double
    beforeAll(async () => {
      double = await startS3Double()
      server = await startServer({
        engine,
        overrides: { films: createFilmEngine({ ffmpegPath: undefined }, systemClock) },
      })
    })
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })
    const t = reelsOf(() => server)

    const told = async (s: CaptureSession, source: string, size: string) =>
      (await t.ofKey(s, source, { from: 0, size })).frames.map(({ head, body }) => head.absent ?? body.length > 0)
    const stills = async (s: CaptureSession, count: number) => {
      const sent = await Promise.all(
        Array.from({ length: count }, async (_, n) =>
          packedStill(server, { body: await picture('webp', 200 + n, 150) }),
        ),
      )
      return (await sendPack(s, sent)).map(({ evidence }) => evidence!.id)
    }
    const eraseFirst = (s: CaptureSession, limit: number) =>
      server.app.db.transact((tx) =>
        eraseSomeEvidence(
          { ...server.app, tx, reader: tx, scope: scopeOf(s) },
          { sessionId: s.id, limit, now: server.clock.now() },
        ),
      )

    it('are made when somebody first looks, of stills that came alone and in packs', async () => {
      const s = await t.session()
      await sendStill(server, s, { displayId: 'd1' })
      await stills(s, 40)
      expect(new Set(await told(s, 'screen:d1', 'small'))).toEqual(new Set(['being_made']))
      await server.processAll()
      const { frames } = await t.ofKey(s, 'screen:d1', { from: 0, size: 'small' })
      expect(frames).toHaveLength(41)
      for (const { head, body } of frames) {
        expect(head.absent).toBeUndefined()
        const { format, width, height } = await sharp(body).metadata()
        expect([format, Math.max(width, height) <= 160, body.length <= 4096]).toEqual(['webp', true, true])
      }
    })

    it('are made of clips and sound, and are as loud as that is', async () => {
      const s = await t.session()
      const clip = await makeMedia('webm', ['-f', 'lavfi', '-i', 'testsrc=size=640x360:duration=1:rate=5'])
      const tone = await makeTone(440, 2)
      const sent = [
        await packedStill(server, {
          body: clip,
          evidenceType: 'camera_clip',
          contentType: 'video/webm',
          displayId: undefined,
          durationMs: 1000,
        }),
        packedSound(server, { sequence: 0, contentType: 'audio/webm', durationMs: 2000, body: tone }),
      ]
      for (const { status } of await sendPack(s, sent)) expect(status).toBe('stored')
      for (const [source, size] of [
        ['camera', 'small'],
        ['microphone', 'levels'],
      ] as const) {
        expect(await told(s, source, size)).toEqual(['being_made'])
        // One at a time: of two that wait in the same place, which random ids decide, the later is asked for again.
        await server.processAll()
      }
      const small = await t.ofKey(s, 'camera', { from: 0, size: 'small' })
      expect(small.frames.map(({ head }) => head.absent)).toEqual([undefined])
      expect(await sharp(small.frames[0]!.body).metadata()).toMatchObject({ format: 'webp', width: 160, height: 90 })
      const levels = (await t.ofKey(s, 'microphone', { from: 0, size: 'levels' })).frames[0]!.body
      expect(levels.length).toBeGreaterThanOrEqual(20)
      // A sine of an eighth of full scale: −21 dBFS.
      expect(Math.abs(levels[10]! - 255 * (1 - 21 / 90))).toBeLessThan(4)
      // A clip without sound has no levels, and nobody tries again.
      expect(await told(s, 'camera', 'levels')).toEqual(['not_made'])
    })

    it('are none of what cannot be decoded, which is marked so', async () => {
      const s = await t.session()
      const sent = await sendPack(s, [packedSound(server, { sequence: 0 })])
      expect(await told(s, 'microphone', 'levels')).toEqual(['being_made'])
      await server.processAll()
      expect(await told(s, 'microphone', 'levels')).toEqual(['not_made'])
      const { data } = await s.api.call('sessions.evidence.list', { params: { id: s.id }, query: {} })
      expect(data.items.find(({ id }) => id === sent[0]!.evidence!.id)).toMatchObject({ decodable: false })
    })

    it('cannot be read once their item is erased, and their file goes with the last one', async () => {
      const files = (await storedFiles(server)).length
      const s = await t.session()
      await stills(s, 3)
      await told(s, 'screen:d1', 'small')
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files + 2)
      await eraseFirst(s, 1)
      await server.processAll()
      expect(await told(s, 'screen:d1', 'small')).toEqual(['erased', true, true])
      expect((await storedFiles(server)).length).toBe(files + 2)
      await t.end(s)
      await s.api.call('sessions.erase', { params: { id: s.id } })
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files)
    })

    it('leave no file where their session was erased while they were made', async () => {
      const files = (await storedFiles(server)).length
      const s = await t.session()
      await stills(s, 2)
      await told(s, 'screen:d1', 'small')
      await t.end(s)
      const films: FilmEngine = server.app.films
      const find = films.find.bind(films)
      films.find = async () => {
        films.find = find
        await s.api.call('sessions.erase', { params: { id: s.id } })
        return find()
      }
      await server.processAll()
      expect((await storedFiles(server)).length).toBe(files)
    })

    it('that a killed process left are swept after a day, and named ones are not', async () => {
      const s = await t.session()
      await stills(s, 1)
      await told(s, 'screen:d1', 'small')
      await server.processAll()
      const files = await storedFiles(server)
      async function* source() {
        yield Buffer.alloc(40)
      }
      await server.app.store.put(`${s.orgId}/${server.app.newId('bsd')}`, source(), { size: 40 })
      server.clock.advance(25 * 3_600_000)
      await server.processAll()
      expect(await storedFiles(server)).toEqual(files)
      expect(await told(s, 'screen:d1', 'small')).toEqual([true])
    })

    it('wait in eight places of an organisation, so that one who asks for everything holds up nobody', async () => {
      const many = await t.session()
      for (let n = 0; n < 20; n++) {
        await stills(many, 1)
        server.clock.advance(700_000)
      }
      for (let n = 0; n < 20; n++) await t.ofKey(many, 'screen:d1', { from: n * 700_000, size: 'small' })
      const waiting = await server.app.db.reader.get<{ n: number }>(
        `SELECT count(*) AS n FROM jobs WHERE kind = 'evidence.make_beside' AND state = 'queued'`,
        [],
      )
      expect(waiting!.n).toBeGreaterThan(1)
      expect(waiting!.n).toBeLessThanOrEqual(8)
      await server.processAll()
    })

    it('lie in the bucket of the organisation, move with it and go with their session', async () => {
      const storage = storageOf(server)
      await storage.put(inDouble(double))
      const s = await t.session()
      await stills(s, 3)
      await told(s, 'screen:d1', 'small')
      await server.processAll()
      const own = [...double.objects.keys()]
      expect(own.map((key) => key.split('/').at(-1)!.slice(0, 4)).toSorted()).toEqual(['bsd_', 'pck_'])
      await storage.put({ provider: 'local' })
      await storage.migrate()
      expect(double.objects.size).toBe(0)
      expect(await told(s, 'screen:d1', 'small')).toEqual([true, true, true])
      await storage.put(inDouble(double))
      await storage.migrate()
      await t.end(s)
      await s.api.call('sessions.erase', { params: { id: s.id } })
      await server.processAll()
      for (const key of own) expect(double.objects.has(key)).toBe(false)
    })
  })
