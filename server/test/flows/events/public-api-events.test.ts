import { eventTypes } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { type Asked, ask, invalidAt, problemOf } from '../../test-support/public-api-call.ts'
import { publish, publishMany } from '../../test-support/publish.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { fieldOf, type OpenStream, openStream } from '../../test-support/sse-client.ts'
import { scheduleSession } from '../../test-support/world.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`public API, published events (${engine})`, () => {
    let server: TestServer
    const streams: OpenStream[] = []
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterEach(async () => {
      for (const stream of streams) stream.close()
      await Promise.all(streams.splice(0).map((stream) => stream.ended))
    })
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const list = (query: Record<string, string> = {}) => `GET /v1/api/events?${new URLSearchParams(query).toString()}`
    const open = async (query: Record<string, string> = {}, headers: Record<string, string> = {}) => {
      const address = `${server.url}/v1/api/events/stream?${new URLSearchParams(query).toString()}`
      const stream = await openStream(address, { authorization: `Bearer ${server.orgs[0].sandboxKey}`, ...headers })
      streams.push(stream)
      return stream
    }

    describe('events.list', () => {
      it('takes every type of the catalogue, alone and all at once, and refuses what is none, also beside one', async () => {
        for (const types of [...eventTypes, eventTypes.join(',')])
          expect((await call(list({ types }))).status, types).toBe(200)
        for (const types of [
          '',
          ',',
          'session.ended,',
          'session.exploded',
          'session.ended,session.exploded',
          '*',
          'Session.Ended',
          'session.ended;report.stale',
        ])
          expect(await problem(list({ types })), types).toEqual(invalidAt('types'))
        expect(await problem('GET /v1/api/events?types=session.ended&types=report.stale')).toEqual(invalidAt('types'))
      })

      it("has no events for a session that is unknown, another organisation's or of the other environment, and never says which", async () => {
        const ours = await scheduleSession(server.client(server.orgs[0].sandboxKey), {})
        const live = await scheduleSession(server.client(server.orgs[0].liveKey), {})
        const theirs = await scheduleSession(server.client(server.orgs[1].sandboxKey), {})
        expect((await call(list({ sessionId: ours.id }))).data).toMatchObject({
          total: 1,
          items: [{ sessionId: ours.id }],
        })
        const answers = new Set<string>()
        for (const sessionId of [live.id, theirs.id, 'ses_none']) {
          const { status, text } = await call(list({ sessionId }))
          answers.add(`${status} ${text}`)
        }
        expect([...answers]).toEqual([
          '200 {"success":true,"data":{"items":[],"total":0,"limit":20,"offset":0,"nextCursor":null}}',
        ])
      })

      it('refuses a session id that is empty or no id can be', async () => {
        for (const sessionId of ['', 'x'.repeat(65)])
          expect(await problem(list({ sessionId }))).toEqual(invalidAt('sessionId'))
        expect(await problem(list({ sessionId: '', types: 'x', limit: '0', offset: 'x' }))).toMatchObject({
          status: 400,
        })
      })

      it('keeps its order and total where times are equal, newest first', async () => {
        const sessionId = server.app.newId('ses')
        const made = (await publishMany(server, 5, { sessionId })).map((event) => event.id).reverse()
        const ids: string[] = []
        for (const offset of ['0', '2', '4']) {
          const { data } = await call(list({ sessionId, limit: '2', offset }))
          expect(data.total).toBe(5)
          ids.push(...data.items.map((item) => item.id))
        }
        expect(ids).toEqual(made)
      })

      it('an envelope has what the interface names, and no session where there is none', async () => {
        const sessionId = server.app.newId('ses')
        await publish(server, { sessionId })
        await publish(server, { type: 'webhook.test' })
        const { items } = (await call(list({ limit: '2' }))).data
        const common = {
          id: expect.stringMatching(/^evt_/),
          createdAt: expect.any(String),
          apiVersion: 'v1',
          catalogVersion: '2026-09-04',
        }
        expect(items[0]).toEqual({ ...common, type: 'webhook.test', data: { webhook: { id: 'whk_none' } } })
        expect(items[1]).toEqual({
          ...common,
          type: 'session.scheduled',
          sessionId,
          data: { session: { id: sessionId, externalId: null, state: 'scheduled' } },
        })
      })
    })

    describe('events.stream', () => {
      const stream = (query: Record<string, string> = {}) =>
        `GET /v1/api/events/stream?${new URLSearchParams(query).toString()}`

      it('refuses a malformed Last-Event-ID with the name of where it stood', async () => {
        const id = (await publish(server)).id
        for (const wrong of [
          '0',
          'evt_',
          'evt_ABC',
          `${id}x`,
          id.toUpperCase(),
          `${id}, ${id}`,
          'null',
          "evt_' OR 1=1",
        ]) {
          expect(await problem(stream(), { headers: { 'last-event-id': wrong } }), wrong).toEqual(
            invalidAt('Last-Event-ID'),
          )
          expect(await problem(stream({ lastEventId: wrong })), wrong).toEqual(invalidAt('lastEventId'))
        }
        expect(await problem(stream({ lastEventId: 'x'.repeat(65) }))).toEqual(invalidAt('lastEventId'))
      })

      it('the header wins over the query, also when only the query is right; an empty header counts as none', async () => {
        const [first, second, third] = await publishMany(server, 3)
        const lastEventId = first?.id ?? ''
        const wrong = await call(stream({ lastEventId }), { headers: { 'last-event-id': 'wrong' } })
        expect(problemOf(wrong)).toEqual(invalidAt('Last-Event-ID'))
        const byHeader = await open({ lastEventId: 'wrong' }, { 'last-event-id': second?.id ?? '' })
        expect(fieldOf((await byHeader.seen(1))[0], 'id')).toBe(third?.id)
        const byQuery = await open({ lastEventId }, { 'last-event-id': '' })
        expect((await byQuery.seen(2)).map((block) => fieldOf(block, 'id'))).toEqual([second?.id, third?.id])
        const byNone = await open({ lastEventId: '' })
        const next = await publish(server)
        expect(fieldOf((await byNone.seen(1))[0], 'id')).toBe(next.id)
      })

      it('refuses the filters that the list refuses', async () => {
        for (const types of ['', 'nothing', 'session.ended,'])
          expect(await problem(stream({ types }))).toEqual(invalidAt('types'))
        expect(await problem(stream({ sessionId: '' }))).toEqual(invalidAt('sessionId'))
        expect(await problem(`${stream()}types=session.ended&types=session.started`)).toEqual(invalidAt('types'))
      })

      it("of another organisation's session stays silent", async () => {
        const sessionId = server.app.newId('ses')
        const filtered = await open({ sessionId })
        await publish(server, { org: 1, sessionId })
        await publish(server, { environment: 'live', sessionId })
        const ours = await publish(server, { sessionId })
        expect((await filtered.seen(1)).map((block) => fieldOf(block, 'id'))).toEqual([ours.id])
      })

      it('gives the very envelopes that the list gives, with the usual headers', async () => {
        const first = await publish(server)
        const events = await publishMany(server, 3)
        const resumed = await open({}, { 'last-event-id': first.id })
        const blocks = await resumed.seen(3)
        const { items } = (await call(list({ limit: '3' }))).data
        expect(blocks.map((block) => JSON.parse(fieldOf(block, 'data') ?? '') as unknown)).toEqual(items.toReversed())
        expect(blocks.map((block) => fieldOf(block, 'id'))).toEqual(events.map((event) => event.id))
        for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-scope'])
          expect(resumed.headers.get(name), name).not.toBeNull()
        expect(resumed.headers.get('x-service-api-version')).toBe('v1')
        expect(resumed.headers.get('x-accel-buffering')).toBe('no')
      })

      it('asks for a key with the scope before anything is opened', async () => {
        const before = server.app.streams.size
        expect(await problem(stream(), { key: '' })).toMatchObject({ status: 401, code: 'unauthorized' })
        expect(await problem(stream(), { key: 'sk_test_wrong' })).toMatchObject({ status: 401, code: 'unauthorized' })
        // Streams of earlier tests may still be closing.
        expect(server.app.streams.size).toBeLessThanOrEqual(before)
      })
    })
  })
