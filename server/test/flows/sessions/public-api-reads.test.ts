import { eventCatalog } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { type Asked, ask, invalidAt, notFound, problemOf } from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, aSegment, type LiveSession, liveSession, newPicture, stillFor } from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`public API, what a session holds (${engine})`, () => {
    let server: TestServer
    let session: LiveSession
    let empty: LiveSession

    beforeAll(async () => {
      server = await startServer({ engine })
      const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
      session = await liveSession(server, scope, server.orgs[0].sandboxKey)
      empty = await liveSession(server, scope, server.orgs[0].sandboxKey)
    })
    beforeEach(() => server.clock.advance(60_000))
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const strangers = () => [server.orgs[1].sandboxKey, server.orgs[0].liveKey]
    const of = (view: string, id = session.id) => `GET /v1/api/sessions/${id}/${view}`
    const agent = () => server.client(session.agent)
    const say = (...sequences: number[]) =>
      agent().call('agent.transcript.upsert', {
        params: { id: session.id },
        body: { segments: sequences.map(aSegment) },
      })

    for (const view of ['events', 'transcript', 'report', 'review-status'])
      it(`/${view} is not found for another organisation, the other environment, and a session that never was`, async () => {
        for (const key of strangers()) expect(await problem(of(view), { key })).toEqual(notFound)
        expect(await problem(of(view, 'ses_none'))).toEqual(notFound)
      })

    describe('sessions.events.list', () => {
      it('counts the whole session for each kind on every page, and its total is the sum of them', async () => {
        const kinds = ['display.added', 'idle.started', 'display.added', 'idle.ended', 'display.added']
        const events = kinds.map((kind) => anEvent(server, kind))
        await agent().call('agent.events.ingest', { params: { id: session.id }, body: { events } })
        const counts = { 'display.added': 3, 'idle.ended': 1, 'idle.started': 1 }
        const seen: string[] = []
        for (const offset of [0, 2, 4]) {
          const { data } = await call(of(`events?limit=2&offset=${offset}`))
          expect(data).toMatchObject({ total: 5, limit: 2, offset, counts })
          seen.push(...data.items.map((item) => item.kind))
        }
        expect(seen).toEqual(kinds)
        expect((await call(of('events?offset=5'))).data).toEqual({
          items: [],
          total: 5,
          limit: 20,
          offset: 5,
          nextCursor: null,
          counts,
        })
        expect((await call(`GET /v1/api/sessions/${session.id}`)).data.eventCount).toBe(5)
      })

      it('of a session without events is empty and counts nothing', async () => {
        expect((await call(of('events', empty.id))).data).toEqual({
          items: [],
          total: 0,
          limit: 20,
          offset: 0,
          nextCursor: null,
          counts: {},
        })
      })

      it('refuses what is no page', async () => {
        expect(await problem(of('events?limit=0&offset=1.5'))).toEqual(invalidAt('limit', 'offset'))
        expect(await problem(of('events?limit=5&limit=5'))).toEqual(invalidAt('limit'))
      })
    })

    describe('sessions.transcript', () => {
      it('polls: the cursor of an answer gives what changed since, then nothing, and stays good after a quiet time', async () => {
        await say(1, 2, 20)
        const first = await call(of('transcript'))
        expect(first.data).toMatchObject({ total: 3, gaps: [{ fromMs: 2900, toMs: 20_000 }] })
        expect(first.data.items.map((item) => item.sequence)).toEqual([1, 2, 20])
        const since = (cursor: string) => call(of(`transcript?since=${cursor}`))
        const quiet = await since(first.data.cursor)
        expect(quiet.data).toMatchObject({ items: [], total: 0, cursor: first.data.cursor })
        await say(3)
        const news = await since(quiet.data.cursor)
        expect(news.data.items.map((item) => item.sequence)).toEqual([3])
        expect((await since(news.data.cursor)).data.items).toEqual([])
        const head = await call(`HEAD ${of('transcript').slice(4)}`)
        expect([head.status, head.text]).toEqual([200, ''])
      })

      it("refuses a cursor that is empty, made up, given twice or another session's", async () => {
        const { cursor } = (await call(of('transcript', empty.id))).data
        for (const since of ['', '0', 'null', 'x'.repeat(65), '2026-09-04T10:00:00Z', cursor])
          expect(await problem(of(`transcript?since=${encodeURIComponent(since)}`)), since).toEqual(invalidAt('since'))
        expect(await problem(of(`transcript?since=${cursor}&since=${cursor}`))).toEqual(invalidAt('since'))
      })
    })

    describe('sessions.report', () => {
      it('gives the counts of the interface as numbers, observations only, and the same twice at one moment', async () => {
        const bytes = await newPicture()
        const body = { ...stillFor(server, bytes), data: bytes.toString('base64') }
        await agent().call('agent.screenshots.upload', { params: { id: session.id }, body })
        const { data, text } = await call(of('report'))
        const { eventCount } = (await call(`GET /v1/api/sessions/${session.id}`)).data
        const objects = (await call(of('evidence'))).data.total
        expect(data).toMatchObject({
          sessionId: session.id,
          signalTotal: eventCount,
          inventoryObjects: objects,
          revision: 0,
        })
        expect(objects).toBeGreaterThan(0)
        expect(data.durationMs).toBe(
          server.clock.now() - Date.parse((await call(`GET /v1/api/sessions/${session.id}`)).data.startedAt),
        )
        expect(text).not.toMatch(/score|verdict|suspicious|cheat|violation|risk/i)
        expect((await call(of('report'))).data).toEqual(data)
      })
    })

    describe('sessions.reviewStatus', () => {
      it('has status, revision and what remains, and nothing else', async () => {
        const { data } = await call(of('review-status', empty.id))
        expect(data).toEqual({
          sessionId: empty.id,
          status: 'draft',
          approved: false,
          stale: false,
          revision: 0,
          signedOffAt: null,
          evidence: { objects: 0, erasedObjects: 0, remaining: [] },
          remainingEvidence: { objects: 0, sizeBytes: 0 },
        })
      })

      it('what a sign-off and a later change publish is in the catalogue', () => {
        const types = eventCatalog.map(({ type }) => type)
        expect(types).toEqual(expect.arrayContaining(['report.finalized', 'report.stale']))
      })
    })

    it('nothing that is read here changes anything: no audit row, no event', async () => {
      const rows = async () => [
        await server.app.db.reader.get('SELECT count(*) AS n FROM audit_log'),
        await server.app.db.reader.get('SELECT count(*) AS n FROM events'),
      ]
      const before = await rows()
      for (const view of ['events', 'transcript', 'report', 'review-status', 'evidence', 'system-audio-chunks'])
        expect((await call(of(view))).status, view).toBe(200)
      expect(await rows()).toEqual(before)
    })
  })
