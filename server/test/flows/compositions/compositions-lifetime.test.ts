import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseSomeEvidence } from '../../../src/domains/recording/evidence/evidence.erase.service.ts'
import { findComposition } from '../../../src/domains/review/compositions/compositions.store.ts'
import type { Engine } from '../../../src/platform/db/dialect.ts'
import { FilmError } from '../../../src/platform/film/film-error.ts'
import { auditOf, buildCaptureSession, storedFiles } from '../../test-support/capture-session.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { createScriptedFilms, type ScriptedFilms } from '../../test-support/films.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { bytesOf } from '../evidence/downloads.test-support.ts'
import { compositionsOf, refusalWords } from './compositions.test-support.ts'
import { buildFilmable, endSession, sendStill } from './film-session.ts'

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
      expect((await second).plan.screen.items).toHaveLength(2)
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
      const first = { sessionId: s.id, limit: 1 }
      const { app, clock } = server
      await app.db.transact((tx) =>
        eraseSomeEvidence({ ...app, tx, reader: tx, scope }, { ...first, now: clock.now() }),
      )
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

    /** Erases a session while its film is made, which is done then; answers where the film would have been stored. */
    const erasedAsItIsDone = async (s: Awaited<ReturnType<typeof buildFilmable>>): Promise<string> => {
      const began = films.hold()
      await render(s)
      const running = server.processAll()
      await began
      const { reader } = server.app.db
      const row = await findComposition(reader, { orgId: s.orgId, environment: s.environment }, idOf(s))
      await s.api.call('sessions.erase', { params: { id: s.id } })
      films.goOn()
      await running
      return row?.pendingKey ?? 'none'
    }

    it('wins over a film that is done at the same moment', async () => {
      const s = await buildFilmable(server)
      const files = (await storedFiles(server, 'objects')).length
      await erasedAsItIsDone(s)
      expect((await listed(s)).status).toBe('erased')
      expect(await storedFiles(server, 'objects')).toHaveLength(files - 1)
      expect(films.open).toBe(0)
    })

    it('takes what a run stored later that was killed before it could take it back', async () => {
      const pendingKey = await erasedAsItIsDone(await buildFilmable(server))
      const { store } = server.app
      const late = Buffer.from('stored after the erasure')
      await store.put(pendingKey, Readable.from([late]), { size: late.length })
      expect(await store.exists(pendingKey)).toBe(true)
      server.clock.advance(25 * 3_600_000)
      await server.processAll()
      expect(await store.exists(pendingKey)).toBe(false)
    })
  })

  describe('after its lifetime', () => {
    it.each(['its own', "its organisation's"])(
      'a film is kept while %s legal hold is on, and goes after it',
      async (whose) => {
        const s = await ready()
        const place = (on: boolean) => {
          const body = { on, reason: 'A dispute.' }
          const params = { orgId: s.orgId, sessionId: s.id }
          return whose === 'its own'
            ? asMember(server, 'portal.retention.sessions.hold', { params, body })
            : asMember(server, 'portal.retention.hold', { params, body })
        }
        const filmFiles = async () => (await storedFiles(server, 'objects')).filter((file) => file.includes(idOf(s)))
        await place(true)
        const { expiresAt } = await read(s)
        server.clock.advance(Date.parse(expiresAt ?? '') - server.clock.now() + 3_600_000)
        await server.processAll()
        expect((await listed(s)).status).toBe('ready')
        expect((await bytesOf(await link(s))).status).toBe(200)
        await place(false)
        expect(await filmFiles()).toHaveLength(1)
        expect((await listed(s)).status).toBe('expired')
        server.clock.advance(3_600_000)
        await server.processAll()
        expect(await filmFiles()).toEqual([])
      },
    )

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
}

for (const engine of everyEngine()) describe(`compositions (${engine})`, () => flows(engine))
