import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { renderComposition } from '../../../src/domains/review/compositions/compositions.render.service.ts'
import { findComposition } from '../../../src/domains/review/compositions/compositions.store.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { CommitFailed } from '../../../src/platform/db/errors.ts'
import { FilmError } from '../../../src/platform/film/film-error.ts'
import { auditOf, buildCaptureSession, type CaptureSession, storedFiles } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { createScriptedFilms, type ScriptedFilms } from '../../test-support/films.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { compositionsOf, refusalWords } from './compositions.test-support.ts'
import { buildFilmable, endSession, sendFrame, sendSound, sendStill } from './film-session.ts'

const day = 24 * 3_600_000
const opus = Buffer.from('OggS and nothing that anybody decodes here')

const flows = (engine: Engine) => {
  let server: TestServer
  let films: ScriptedFilms

  beforeAll(async () => {
    films = createScriptedFilms()
    server = await startServer({ engine, overrides: { films } })
  })
  afterAll(() => server.stop())
  beforeEach(() => films.reset())

  const { idOf, read, listed, render, link, ready, leftovers } = compositionsOf(() => server)
  const rows = async (s: CaptureSession) =>
    server.app.db.reader.all<{ n: number }>('SELECT count(*) AS n FROM compositions WHERE session_id = ?', [s.id])
  const renderJobs = async (s: CaptureSession) => {
    const jobs = await server.app.db.reader.all<{ payload: string }>(
      "SELECT payload FROM jobs WHERE kind = 'compositions.render' ORDER BY created_at, id",
    )
    return jobs.filter(({ payload }) => payload.includes(idOf(s))).length
  }

  describe('sessions.compositions.list', () => {
    it('shows a session nobody asked a film of as not rendered, and writes nothing', async () => {
      const s = await buildFilmable(server)
      const { data } = await s.api.call('sessions.compositions.list', { params: { id: s.id } })
      expect(data).toMatchObject({ total: 1, limit: 20, offset: 0 })
      expect(data.items).toEqual([
        {
          id: idOf(s),
          sessionId: s.id,
          kind: 'picture_in_picture',
          status: 'not_rendered',
          progress: 0,
          stale: false,
          requestedAt: null,
          startedAt: null,
          finishedAt: null,
          expiresAt: null,
          contentType: 'video/mp4',
          durationMs: null,
          width: null,
          height: null,
          sizeBytes: null,
          integrity: null,
          failure: null,
          undecoded: [],
        },
      ])
      expect(await rows(s)).toEqual([{ n: 0 }])
      expect((await read(s)).inputs).toEqual([])
      expect((await auditOf(server, s)).at(-1)).toMatchObject({ action: 'composition.viewed', target: idOf(s) })
    })
  })

  describe('compositions.render', () => {
    it('queues a render, makes the film in the background, and says what it was made of', async () => {
      const s = await buildCaptureSession(server)
      const start = server.clock.now()
      const one = await sendStill(server, s)
      server.clock.advance(10_000)
      const sound = await sendSound(server, s, { bytes: opus, durationMs: 5000, sequence: 0 })
      const frame = await sendFrame(server, s)
      server.clock.advance(50_000)
      await endSession(s)
      const asked = await render(s)
      expect(asked.status).toBe(202)
      expect(asked.data).toMatchObject({ status: 'queued', progress: 0, stale: false, integrity: null })
      expect(asked.data.requestedAt).toBe(new Date(server.clock.now()).toISOString())
      await server.processAll()
      const film = await read(s)
      const inputs = [one, ...[sound, frame].sort((a, b) => (a.id < b.id ? -1 : 1))]
      expect(film).toMatchObject({
        status: 'ready',
        progress: 1,
        stale: false,
        failure: null,
        durationMs: 60_000,
        width: 1280,
        height: 720,
        expiresAt: new Date(server.clock.now() + 7 * day).toISOString(),
        integrity: { inputCount: 3, command: 'ffmpeg -i film', ffmpegVersion: 'ffmpeg version 0 (scripted)' },
      })
      expect(film.inputs).toEqual(
        inputs.map(({ id, evidenceType, sha256, capturedAt }) => ({
          evidenceId: id,
          evidenceType,
          sha256,
          capturedAt,
        })),
      )
      const lines = inputs.map(({ sha256, evidenceType, id }) => `${sha256} ${evidenceType} ${id}\n`).join('')
      expect(film.integrity?.inputsSha256).toBe(createHash('sha256').update(lines).digest('hex'))
      const { bytes } = await bytesOf(await link(s))
      expect(film.sizeBytes).toBe(bytes.length)
      expect(film.integrity?.outputSha256).toBe(createHash('sha256').update(bytes).digest('hex'))
      const { inputs: _, ...summary } = film
      expect(await listed(s)).toEqual(summary)
      expect(films.renders.at(-1)?.plan).toMatchObject({ durationMs: 60_000, startsAt: start })
      expect((await auditOf(server, s)).map(({ action, actor }) => [action, actor])).toEqual(
        expect.arrayContaining([
          ['composition.render_requested', 'api_key'],
          ['composition.rendered', 'system'],
        ]),
      )
      expect(await leftovers()).toEqual([])
      expect(films.open).toBe(0)
    })

    it('gives the film no more than the plain bytes of its inputs, and keeps none of it plain', async () => {
      const s = await buildCaptureSession(server)
      const { sizeBytes } = await sendStill(server, s)
      server.clock.advance(1000)
      await endSession(s)
      const began = films.hold()
      await render(s)
      const running = server.processAll()
      const { plan } = await began
      const pieces: Uint8Array[] = []
      for await (const piece of plan.screen.items[0]!.read()) pieces.push(piece)
      expect(Buffer.concat(pieces).length).toBe(sizeBytes)
      const part: Uint8Array[] = []
      for await (const piece of plan.screen.items[0]!.read({ start: 8, end: 12 })) part.push(piece)
      expect(Buffer.concat(part).toString('latin1')).toBe('WEBP')
      films.goOn()
      await running
      expect((await read(s)).status).toBe('ready')
    })

    it('lists what of its inputs could not be decoded, and where it would have been', async () => {
      const s = await buildCaptureSession(server)
      server.clock.advance(3000)
      const { id } = await sendStill(server, s)
      server.clock.advance(1000)
      await endSession(s)
      expect((await read(s)).undecoded).toEqual([])
      films.decodes = false
      await render(s)
      await server.processAll()
      expect((await read(s)).undecoded).toEqual([{ evidenceId: id, atMs: 3000, kind: 'still' }])
      expect((await s.api.call('evidence.get', { params: { id } })).data.decodable).toBe(false)
      films.decodes = true
    })

    it('asked again while it is queued or rendered answers the same and adds no second job', async () => {
      const s = await buildFilmable(server)
      const first = await render(s)
      const again = await render(s)
      expect([again.status, again.data]).toEqual([202, first.data])
      const began = films.hold()
      const running = server.processAll()
      await began
      expect(await render(s)).toMatchObject({ status: 202, data: { status: 'rendering' } })
      films.goOn()
      await running
      expect(await renderJobs(s)).toBe(1)
      const done = await render(s)
      expect([done.status, done.data.status]).toEqual([200, 'ready'])
      expect(await renderJobs(s)).toBe(1)
      const asked = (await auditOf(server, s)).filter(({ action }) => action === 'composition.render_requested')
      expect(asked.map(({ payload }) => payload)).toEqual([
        { again: false },
        { again: true },
        { again: true },
        { again: true },
      ])
    })

    it('asked twenty times at once makes one job', async () => {
      const s = await buildFilmable(server)
      const answers = await Promise.all(Array.from({ length: 20 }, () => render(s)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
      expect(await renderJobs(s)).toBe(1)
      const before = films.renders.length
      await server.processAll()
      expect(films.renders.length).toBe(before + 1)
    })

    it('refuses a session that has not ended, in words', async () => {
      const live = await buildCaptureSession(server)
      await sendStill(server, live)
      expect(await refusalWords(render(live))).toMatch(/^409 conflict: this session is live; .*once it has ended/)
      const scheduled = await buildCaptureSession(server, { registered: false })
      expect(await refusalWords(render(scheduled))).toMatch(/^409 conflict: this session is scheduled/)
      expect(await rows(live)).toEqual([{ n: 0 }])
    })

    it('refuses a session without a picture, whatever else it has, and one that never began', async () => {
      const s = await buildCaptureSession(server)
      await sendSound(server, s, { bytes: opus, durationMs: 5000, sequence: 0 })
      await endSession(s)
      expect(await refusalWords(render(s))).toMatch(/^409 conflict: .*nothing to make a film of/)
      const scheduled = await buildCaptureSession(server, { registered: false })
      await endSession(scheduled)
      expect(await refusalWords(render(scheduled))).toMatch(/^409 conflict: .*nothing to make a film of/)
    })

    it('refuses an erased session and shows its composition as erased', async () => {
      const s = await buildFilmable(server)
      await s.api.call('sessions.erase', { params: { id: s.id } })
      expect(await refusalWords(render(s))).toMatch(/^409 conflict: the evidence of this session was erased/)
      expect(await listed(s)).toMatchObject({ status: 'erased', stale: false })
    })

    it('without ffmpeg says how to get it, writes nothing, and works once it is there', async () => {
      const s = await buildFilmable(server)
      films.installed = false
      const words = await refusalWords(render(s))
      expect(words).toMatch(/^503 service_unavailable: /)
      expect(words).toContain('FFMPEG_PATH')
      expect(words).toContain('apt-get install ffmpeg')
      expect(await rows(s)).toEqual([{ n: 0 }])
      expect((await auditOf(server, s)).map(({ action }) => action)).not.toContain('composition.render_requested')
      films.installed = true
      await ready(s)
      films.installed = false
      expect((await render(s)).status).toBe(200)
    })

    it('runs one film at a time, and other jobs beside it', async () => {
      const [one, two] = [await buildFilmable(server), await buildFilmable(server)]
      const other = await buildFilmable(server)
      const began = films.hold()
      await render(one)
      await render(two)
      const before = films.renders.length
      const files = (await storedFiles(server, 'objects')).length
      await other.api.call('sessions.erase', { params: { id: other.id } })
      const running = server.processAll()
      await began
      // The bytes go by a job, which finds a place beside the film.
      await expect.poll(async () => (await storedFiles(server, 'objects')).length).toBe(files - 1)
      expect(films.renders.length).toBe(before + 1)
      expect([(await listed(one)).status, (await listed(two)).status].sort()).toEqual(['queued', 'rendering'])
      films.goOn()
      await running
      expect([(await listed(one)).status, (await listed(two)).status]).toEqual(['ready', 'ready'])
    })

    it('shows how far it is, written no more than once a second', async () => {
      const s = await buildFilmable(server)
      const began = films.hold()
      await render(s)
      const running = server.processAll()
      const { options } = await began
      const progress = async () => (await listed(s)).progress
      options.onProgress(0.25)
      await expect.poll(progress).toBe(0.247)
      options.onProgress(0.5)
      server.clock.advance(999)
      options.onProgress(0.6)
      expect(await progress()).toBe(0.247)
      server.clock.advance(1)
      options.onProgress(0.75)
      await expect.poll(progress).toBe(0.742)
      films.goOn()
      await running
      expect(await progress()).toBe(1)
    })
  })

  describe('a render whose COMMIT failed, though its rows are there', () => {
    it('keeps the bytes that the row counts on', async () => {
      const s = await buildFilmable(server)
      await render(s)
      const scope = { orgId: s.orgId, environment: s.environment }
      const { db } = server.app
      const row = await findComposition(db.reader, scope, idOf(s))
      const ref = { compositionId: idOf(s), renderId: row?.renderId ?? '' }
      const transact: typeof db.transact = async (work) => {
        const done = await db.transact(work)
        if ((await listed(s)).status === 'ready') throw new CommitFailed(new Error('the answer was lost'))
        return done
      }
      const run = { ref, attempt: 1, signal: new AbortController().signal }
      const rendering = renderComposition({ ...server.app, db: { ...db, transact }, scope }, run)
      await expect(rendering).rejects.toThrow(CommitFailed)
      await server.processAll()
      expect((await bytesOf(await link(s))).status).toBe(200)
    })
  })

  describe('a job that is run twice at once, because its lease was lost', () => {
    it('makes one film: the run that began last has its way, and the other leaves nothing', async () => {
      const s = await buildFilmable(server)
      await render(s)
      const scope = { orgId: s.orgId, environment: s.environment }
      const row = await findComposition(server.app.db.reader, scope, idOf(s))
      const ref = { compositionId: idOf(s), renderId: row?.renderId ?? '' }
      const run = () =>
        renderComposition({ ...server.app, scope }, { ref, attempt: 1, signal: new AbortController().signal })
      const firstBegan = films.hold()
      const first = run()
      await firstBegan
      const releaseFirst = films.release()
      const secondBegan = films.hold()
      const second = run()
      await secondBegan
      // Both are done; the one that lost its lease comes first.
      releaseFirst()
      await first
      films.goOn()
      await second
      await server.processAll()
      expect((await listed(s)).status).toBe('ready')
      expect((await bytesOf(await link(s))).status).toBe(200)
      const files = (await storedFiles(server, 'objects')).filter((file) => file.includes(idOf(s)))
      expect(files).toHaveLength(1)
      const rendered = (await auditOf(server, s)).filter(({ action }) => action === 'composition.rendered')
      expect(rendered).toHaveLength(1)
    })
  })

  describe('a render that fails', () => {
    it('is tried three times, then says so in words that name nothing of the server, and can be asked for again', async () => {
      const s = await buildFilmable(server)
      films.failWith(new FilmError('encoder_failed', 'x264 died at /srv/secret/path'))
      await render(s)
      const before = films.renders.length
      for (let attempt = 1; attempt <= 3; attempt++) {
        await server.processAll()
        expect(films.renders.length).toBe(before + attempt)
        if (attempt < 3) expect((await listed(s)).status).toBe('rendering')
        server.clock.advance(60_000)
      }
      await server.processAll()
      expect(films.renders.length).toBe(before + 3)
      const failed = await listed(s)
      expect(failed).toMatchObject({
        status: 'failed',
        failure: 'the encoder ended before the film was done',
        integrity: null,
      })
      expect(await refusalWords(link(s))).toMatch(/^409 conflict: the last render .* failed/)
      films.failWith(undefined)
      expect(await render(s)).toMatchObject({ status: 202, data: { status: 'queued', failure: null } })
      await server.processAll()
      expect((await listed(s)).status).toBe('ready')
      expect(await leftovers()).toEqual([])
    })

    it('keeps what is not known of an error to the log', async () => {
      const s = await buildFilmable(server)
      films.failWith(new Error('ENOSPC /var/lib/secret'))
      await render(s)
      for (let attempt = 1; attempt <= 3; attempt++) {
        await server.processAll()
        server.clock.advance(60_000)
      }
      expect((await listed(s)).failure).toBe("something went wrong while rendering; the server's log says what")
      expect(server.logLines.join('')).toContain('ENOSPC')
    })

    it('counts as failed when the process ended over it every time', async () => {
      const s = await buildFilmable(server)
      await render(s)
      const claimed = "UPDATE jobs SET attempts = 3 WHERE kind = 'compositions.render' AND state = 'queued'"
      await server.app.db.transact((tx) => tx.run(claimed))
      const before = films.renders.length
      await server.processAll()
      expect(films.renders.length).toBe(before)
      expect(await listed(s)).toMatchObject({
        status: 'failed',
        failure: 'the server ended while it rendered, again and again',
      })
    })
  })
}

for (const engine of everyEngine()) describe(`compositions (${engine})`, () => flows(engine))
