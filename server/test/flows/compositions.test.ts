import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@integrity/protocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compositionIdOf } from '../../src/domains/compositions/compositions.id.ts'
import { renderComposition } from '../../src/domains/compositions/compositions.render.service.ts'
import { findComposition } from '../../src/domains/compositions/compositions.store.ts'
import { eraseEvidence } from '../../src/domains/evidence/evidence.erase.service.ts'
import { sign } from '../../src/platform/crypto/signed-token.ts'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { FilmError } from '../../src/platform/film/film-error.ts'
import { hasEngine } from '../support/databases.ts'
import { createScriptedFilms, type ScriptedFilms } from '../support/films.ts'
import { portalCookie } from '../support/portal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { auditOf, buildCaptureSession, type CaptureSession, refusal, storedFiles } from './capture-session.ts'
import { buildFilmable, endSession, sendFrame, sendSound, sendStill } from './film-session.ts'

const day = 24 * 3_600_000
const opus = Buffer.from('OggS and nothing that anybody decodes here')

const bytesOf = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url, { headers })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}
/** The refusal with its words, for messages that a person acts on. */
const refusalWords = async (call: Promise<unknown>): Promise<string> => {
  const { status, code, message } = await call.then(
    () => ({ status: 200, code: 'none', message: 'was not refused' }),
    (error: unknown) => error as { status: number; code: string; message: string },
  )
  return `${status} ${code}: ${message}`
}

const flows = (engine: Engine) => {
  let server: TestServer
  let films: ScriptedFilms

  beforeAll(async () => {
    films = createScriptedFilms()
    server = await startServer({ engine, overrides: { films } })
  })
  afterAll(() => server.stop())
  beforeEach(() => films.reset())

  const idOf = (s: CaptureSession) => compositionIdOf(s.id)
  const params = (s: CaptureSession) => ({ id: idOf(s) })
  const read = async (s: CaptureSession) => (await s.api.call('compositions.get', { params: params(s) })).data
  const listed = async (s: CaptureSession) =>
    (await s.api.call('sessions.compositions.list', { params: { id: s.id } })).data.items[0]!
  const render = (s: CaptureSession) => s.api.call('compositions.render', { params: params(s) })
  const link = async (s: CaptureSession) => {
    const { data } = await s.api.call('compositions.downloadUrl', { params: params(s) })
    const url = new URL(data.url)
    return server.url + url.pathname + url.search
  }
  const ready = async (s?: CaptureSession): Promise<CaptureSession> => {
    const session = s ?? (await buildFilmable(server))
    await render(session)
    await server.processAll()
    expect((await read(session)).status).toBe('ready')
    return session
  }
  const rows = async (s: CaptureSession) =>
    server.app.db.reader.all<{ n: number }>('SELECT count(*) AS n FROM compositions WHERE session_id = ?', [s.id])
  const renderJobs = async (s: CaptureSession) => {
    const jobs = await server.app.db.reader.all<{ payload: string }>(
      "SELECT payload FROM jobs WHERE kind = 'compositions.render' ORDER BY created_at, id",
    )
    return jobs.filter(({ payload }) => payload.includes(idOf(s))).length
  }
  const leftovers = () => readdir(join(server.app.config.dataDir, 'films')).catch(() => [])

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
      for await (const piece of plan.screen[0]!.read()) pieces.push(piece)
      expect(Buffer.concat(pieces).length).toBe(sizeBytes)
      const part: Uint8Array[] = []
      for await (const piece of plan.screen[0]!.read({ start: 8, end: 12 })) part.push(piece)
      expect(Buffer.concat(part).toString('latin1')).toBe('WEBP')
      films.goOn()
      await running
      expect((await read(s)).status).toBe('ready')
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

  describe('a job that is run twice at once, because its lease was lost', () => {
    it('makes one film: the run that began last has its way, and the other leaves nothing', async () => {
      const s = await buildFilmable(server)
      await render(s)
      const scope = { orgId: s.orgId, environment: s.environment }
      const row = await findComposition(server.app.db.reader, scope, idOf(s))
      const ref = { compositionId: idOf(s), renderId: row?.renderId ?? '' }
      const run = () => renderComposition(server.app, scope, ref, { attempt: 1, signal: new AbortController().signal })
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

  describe('inputs that change', () => {
    it('make the film stale, and a new render replaces it once it is done', async () => {
      const s = await ready()
      const old = await read(s)
      const files = (await storedFiles(server, 'objects')).length
      await sendStill(server, s, { at: server.clock.now() - 30_000 })
      expect(await read(s)).toEqual({ ...old, stale: true })
      expect(await storedFiles(server, 'objects')).toHaveLength(files + 1)
      const began = films.hold()
      expect((await render(s)).status).toBe(202)
      const running = server.processAll()
      await began
      // Until then the old one can be had.
      expect(await listed(s)).toMatchObject({ status: 'rendering', stale: true, integrity: old.integrity })
      expect((await bytesOf(await link(s))).status).toBe(200)
      films.goOn()
      await running
      const fresh = await read(s)
      expect(fresh).toMatchObject({ status: 'ready', stale: false, integrity: { inputCount: 2 } })
      expect(fresh.integrity?.outputSha256).not.toBe(old.integrity?.outputSha256)
      expect(await storedFiles(server, 'objects')).toHaveLength(files + 1)
    })

    it('during a render: a new request replaces it, and the one that ran ends without a trace', async () => {
      const s = await buildFilmable(server)
      const files = (await storedFiles(server, 'objects')).length
      const began = films.hold()
      await render(s)
      const running = server.processAll()
      const first = await began
      await sendStill(server, s, { at: server.clock.now() - 30_000 })
      expect(await render(s)).toMatchObject({ status: 202, data: { status: 'queued' } })
      const second = films.hold()
      first.options.onProgress(0.5)
      expect((await second).plan.screen).toHaveLength(2)
      films.goOn()
      await running
      expect(first.options.signal.aborted).toBe(true)
      expect(await read(s)).toMatchObject({ status: 'ready', stale: false, integrity: { inputCount: 2 } })
      expect(await storedFiles(server, 'objects')).toHaveLength(files + 2)
      expect(await leftovers()).toEqual([])
    })

    it('what was erased of it makes a film stale, and the next one is made without it', async () => {
      const s = await buildCaptureSession(server)
      const gone = await sendStill(server, s)
      await sendStill(server, s)
      await endSession(s)
      await ready(s)
      const scope = { orgId: s.orgId, environment: s.environment }
      const erasure = { sessionId: s.id, evidenceId: gone.id }
      const { app, clock } = server
      await app.db.transact((tx) => eraseEvidence(app, tx, scope, erasure, clock.now()))
      expect(await read(s)).toMatchObject({ status: 'ready', stale: true, integrity: { inputCount: 2 } })
      await render(s)
      await server.processAll()
      const film = await read(s)
      expect(film).toMatchObject({ status: 'ready', stale: false, integrity: { inputCount: 1 } })
      expect(film.inputs.map(({ evidenceId }) => evidenceId)).not.toContain(gone.id)
    })

    it('a failing render of them leaves the film that was there', async () => {
      const s = await ready()
      const old = (await bytesOf(await link(s))).bytes
      await sendStill(server, s, { at: server.clock.now() - 30_000 })
      films.failWith(new FilmError('encoder_failed', 'no'))
      await render(s)
      for (let attempt = 1; attempt <= 3; attempt++) {
        await server.processAll()
        server.clock.advance(60_000)
      }
      expect(await listed(s)).toMatchObject({ status: 'failed', stale: true })
      expect((await bytesOf(await link(s))).bytes.equals(old)).toBe(true)
    })
  })

  describe('sessions.erase', () => {
    it('takes the film with it: its key at once, its bytes soon after', async () => {
      const s = await ready()
      const url = await link(s)
      const files = (await storedFiles(server, 'objects')).length
      await s.api.call('sessions.erase', { params: { id: s.id } })
      expect((await bytesOf(url)).status).toBe(409)
      expect(await read(s)).toMatchObject({ status: 'erased', integrity: null, inputs: [], sizeBytes: null })
      const kept = await server.app.db.reader.get<{ header: string | null; inputs: string | null }>(
        'SELECT header, inputs FROM compositions WHERE session_id = ?',
        [s.id],
      )
      expect(kept).toEqual({ header: null, inputs: null })
      await server.processAll()
      expect(await storedFiles(server, 'objects')).toHaveLength(files - 2)
      await s.api.call('sessions.erase', { params: { id: s.id } })
      expect((await read(s)).status).toBe('erased')
    })

    it('cancels a render that runs', async () => {
      const s = await buildFilmable(server)
      const files = (await storedFiles(server, 'objects')).length
      const began = films.hold()
      await render(s)
      const running = server.processAll()
      const { options } = await began
      await s.api.call('sessions.erase', { params: { id: s.id } })
      options.onProgress(0.5)
      await running
      expect(options.signal.aborted).toBe(true)
      expect((await listed(s)).status).toBe('erased')
      expect(await storedFiles(server, 'objects')).toHaveLength(files - 1)
      expect(await leftovers()).toEqual([])
      expect(films.open).toBe(0)
    })

    it('wins over a film that is done at the same moment', async () => {
      const s = await buildFilmable(server)
      const files = (await storedFiles(server, 'objects')).length
      const began = films.hold()
      await render(s)
      const running = server.processAll()
      await began
      await s.api.call('sessions.erase', { params: { id: s.id } })
      films.goOn()
      await running
      expect((await listed(s)).status).toBe('erased')
      expect(await storedFiles(server, 'objects')).toHaveLength(files - 1)
      expect(films.open).toBe(0)
    })
  })

  describe('after its lifetime', () => {
    it('a film is gone to the millisecond, then its bytes, and can be rendered again', async () => {
      const s = await ready()
      const filmFiles = async () => (await storedFiles(server, 'objects')).filter((file) => file.includes(idOf(s)))
      expect(await filmFiles()).toHaveLength(1)
      const { expiresAt, integrity } = await read(s)
      server.clock.advance(Date.parse(expiresAt ?? '') - server.clock.now() - 1)
      await server.processAll()
      const url = await link(s)
      expect(await listed(s)).toMatchObject({ status: 'ready', integrity })
      server.clock.advance(1)
      expect((await listed(s)).status).toBe('expired')
      expect((await bytesOf(url)).status).toBe(409)
      expect(await refusalWords(link(s))).toMatch(/^409 conflict: .*ask for another render/)
      server.clock.advance(3_600_000)
      await server.processAll()
      expect(await read(s)).toMatchObject({ status: 'expired', stale: false, integrity })
      expect(await filmFiles()).toEqual([])
      expect((await auditOf(server, s)).filter(({ action }) => action === 'composition.removed')).toEqual([
        expect.objectContaining({ actor: 'system', target: idOf(s) }),
      ])
      expect((await render(s)).status).toBe(202)
      await server.processAll()
      expect((await listed(s)).status).toBe('ready')
    })
  })

  describe('compositions.content', () => {
    it('is an attachment, whole or in one range, and HEAD gives its headers', async () => {
      const s = await ready()
      const url = await link(s)
      const whole = await bytesOf(url)
      const { sizeBytes, integrity } = await read(s)
      expect(whole.status).toBe(200)
      expect(Object.fromEntries(whole.headers)).toMatchObject({
        'content-type': 'video/mp4',
        'content-length': String(sizeBytes),
        'content-disposition': `attachment; filename="composition-${idOf(s)}.mp4"`,
        'accept-ranges': 'bytes',
        'cache-control': 'no-store',
        etag: `"${integrity?.outputSha256}"`,
      })
      const part = await bytesOf(url, { range: 'bytes=65530-65545' })
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 65530-65545/${sizeBytes}`])
      expect(part.bytes.equals(whole.bytes.subarray(65_530, 65_546))).toBe(true)
      const beyond = await bytesOf(url, { range: `bytes=${sizeBytes}-` })
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${sizeBytes}`])
      const etag = whole.headers.get('etag') ?? ''
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': etag })).status).toBe(206)
      expect((await bytesOf(url, { range: 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200)
      const head = await fetch(url, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(sizeBytes)])
      const trail = await auditOf(server, s)
      expect(trail.map(({ action }) => action)).toContain('composition.download_link_created')
      expect(trail.filter(({ action }) => action === 'composition.downloaded')[1]).toEqual({
        action: 'composition.downloaded',
        target: idOf(s),
        actor: 'download',
        payload: { start: 65_530, end: 65_546, sizeBytes },
      })
    })

    it('lies sealed on the disk', async () => {
      const before = new Set(await storedFiles(server, 'objects'))
      const s = await ready()
      const film = (await bytesOf(await link(s))).bytes
      const added = (await storedFiles(server, 'objects')).filter((file) => !before.has(file))
      const contents = await Promise.all(added.map((file) => readFile(file)))
      expect(contents.some((content) => content.length > film.length)).toBe(true)
      expect(contents.some((content) => content.includes(film.subarray(0, 16)))).toBe(false)
    })

    it('refuses a link that is a moment too old, of another composition, and of another kind of thing', async () => {
      const [s, other] = [await ready(), await ready()]
      const url = await link(s)
      const token = new URL(url).searchParams.get('token') ?? ''
      const at = (id: string, what = 'compositions') => `${server.url}/v1/api/${what}/${id}/content?token=${token}`
      expect((await bytesOf(at(idOf(other)))).status).toBe(404)
      const { items } = (await s.api.call('sessions.evidence.list', { params: { id: s.id } })).data
      expect((await bytesOf(at(items[0]!.id, 'evidence'))).status).toBe(401)
      const { data } = await s.api.call('evidence.downloadUrl', { params: { id: items[0]!.id } })
      const evidenceToken = new URL(data.url).searchParams.get('token') ?? ''
      const path = `${server.url}/v1/api/compositions/${idOf(s)}/content`
      expect((await bytesOf(`${path}?token=${evidenceToken}`)).status).toBe(401)
      const expiresAt = server.clock.now() + 60_000
      const grant = { objectId: idOf(s), orgId: server.orgs[1].orgId, expiresAt, kind: 'composition:sandbox' }
      expect((await bytesOf(`${path}?token=${sign(grant, server.app.downloadKey)}`)).status).toBe(404)
      expect((await bytesOf(path)).status).toBe(401)
      server.clock.advance(5 * 60_000 - 1)
      expect((await bytesOf(url)).status).toBe(200)
      server.clock.advance(1)
      expect((await bytesOf(url)).status).toBe(401)
    })

    it('and a link to it are refused before there is a film, with what to do', async () => {
      const s = await buildFilmable(server)
      expect(await refusalWords(link(s))).toMatch(/^409 conflict: .*never rendered; ask for a render/)
      await render(s)
      expect(await refusalWords(link(s))).toMatch(/^409 conflict: .*being rendered/)
      await server.processAll()
      expect((await bytesOf(await link(s))).status).toBe(200)
    })
  })

  describe('another organisation, the other environment and another session', () => {
    it('find nothing', async () => {
      const s = await ready()
      for (const key of [server.orgs[1].sandboxKey, server.orgs[0].liveKey]) {
        const stranger = server.client(key)
        const calls = [
          () => stranger.call('sessions.compositions.list', { params: { id: s.id } }),
          () => stranger.call('compositions.get', { params: params(s) }),
          () => stranger.call('compositions.render', { params: params(s) }),
          () => stranger.call('compositions.downloadUrl', { params: params(s) }),
        ]
        for (const call of calls) expect(await refusal(call())).toMatchObject({ status: 404, code: 'not_found' })
      }
      for (const id of [s.id, 'cmp_', 'cmp_00000000000000000000000000', s.id.replace('ses_', 'evd_')])
        expect(await refusal(s.api.call('compositions.get', { params: { id } }))).toMatchObject({ status: 404 })
    })
  })

  describe('portal', () => {
    it('lets who may view see it, and who may take evidence out render and download it', async () => {
      const s = await buildFilmable(server)
      const portal = createClient({ baseUrl: server.url })
      const reviewer = { headers: await portalCookie(server, 'reviewer') }
      const path = { id: s.id, compositionId: idOf(s) }
      const { data } = await portal.call('portal.compositions.list', { params: { id: s.id }, ...reviewer })
      expect(data).toMatchObject({ total: 1, items: [{ id: idOf(s), status: 'not_rendered' }] })
      expect((await portal.call('portal.compositions.render', { params: path, ...reviewer })).status).toBe(202)
      await server.processAll()
      const film = await portal.call('portal.compositions.content', { params: path, ...reviewer })
      expect(Buffer.from(film.data as Uint8Array).equals((await bytesOf(await link(s))).bytes)).toBe(true)
      expect((await auditOf(server, s)).filter(({ action }) => action === 'composition.downloaded')[0]).toMatchObject({
        actor: 'user',
      })
      const interviewer = { headers: await portalCookie(server, 'interviewer') }
      const refused = portal.call('portal.compositions.render', { params: path, ...interviewer })
      expect(await refusal(refused)).toMatchObject({ status: 403 })
    })

    it("finds no composition under another session's path", async () => {
      const [s, other] = [await ready(), await ready()]
      const portal = createClient({ baseUrl: server.url })
      const asked = {
        params: { id: other.id, compositionId: idOf(s) },
        headers: await portalCookie(server, 'reviewer'),
      }
      expect(await refusal(portal.call('portal.compositions.render', asked))).toMatchObject({ status: 404 })
      expect(await refusal(portal.call('portal.compositions.content', asked))).toMatchObject({ status: 404 })
    })
  })
}

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`compositions (${engine})`, () => flows(engine))
