import { EventSource, type EventSourceFetchInit } from 'eventsource'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { publish, publishMany } from '../../test-support/publish.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { fieldOf, type OpenStream, openStream } from '../../test-support/sse-client.ts'
import { until } from '../../test-support/until.ts'

/** The platform's fetch on which a test can cut the newest connection, and whose clients come back at once. */
const cuttingFetch = (token: string) => {
  let newest: AbortController | undefined
  return {
    cut: () => newest?.abort(new Error('cut by the test')),
    fetch: async (url: string | URL, init: EventSourceFetchInit): Promise<Response> => {
      const aborting = new AbortController()
      newest = aborting
      const headers = { ...init.headers, authorization: `Bearer ${token}` }
      const signal = AbortSignal.any([aborting.signal, init.signal as AbortSignal])
      const response = await fetch(url, { headers, signal, cache: init.cache, redirect: 'follow' })
      const hurry = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) =>
          controller.enqueue(
            Buffer.from(
              Buffer.from(chunk)
                .toString()
                .replace(/^retry: \d+$/m, 'retry: 1'),
            ),
          ),
      })
      const body = response.body?.pipeThrough(hurry) ?? null
      const { status, headers: answered } = response
      return Object.defineProperty(new Response(body, { status, headers: answered }), 'url', { value: String(url) })
    },
  }
}

for (const engine of everyEngine())
  describe(`events.stream (${engine})`, () => {
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

    const open = async (
      options: { key?: string; query?: Record<string, string>; last?: string } = {},
    ): Promise<OpenStream> => {
      const query = new URLSearchParams(options.query).toString()
      const stream = await openStream(`${server.url}/v1/api/events/stream?${query}`, {
        authorization: `Bearer ${options.key ?? server.orgs[0].sandboxKey}`,
        ...(options.last === undefined ? {} : { 'last-event-id': options.last }),
      })
      streams.push(stream)
      return stream
    }
    const idsOf = (blocks: readonly string[]) => blocks.map((block) => fieldOf(block, 'id'))

    it('sends what is published from now on, as id, event and envelope', async () => {
      await publish(server)
      const stream = await open()
      expect(stream.status).toBe(200)
      expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/)
      expect(stream.headers.get('cache-control')).toBe('no-store, no-transform')
      expect(stream.headers.get('x-request-id')).toMatch(/^req_/)
      const event = await publish(server)
      const [block] = await stream.seen(1)
      expect(block).toBe(`id: ${event.id}\nevent: session.scheduled\ndata: ${event.envelope}`)
      expect(stream.blocks[0]).toMatch(/^retry: \d+$/)
    })

    it('replays what came after Last-Event-ID and goes on live, each event once', async () => {
      const [first, ...rest] = await publishMany(server, 5)
      const stream = await open({ last: first?.id ?? '' })
      await stream.seen(4)
      const live = await publish(server)
      expect(idsOf(await stream.seen(5))).toEqual([...rest, live].map((event) => event.id))
    })

    it('takes the id from the query too, and the header before it', async () => {
      const [first, second, third] = await publishMany(server, 3)
      const byQuery = await open({ query: { lastEventId: first?.id ?? '' } })
      expect(idsOf(await byQuery.seen(2))).toEqual([second?.id, third?.id])
      const byHeader = await open({ query: { lastEventId: first?.id ?? '' }, last: second?.id ?? '' })
      expect(idsOf(await byHeader.seen(1))).toEqual([third?.id])
    })

    it('replays 200 events, and tells of a gap when there are more, then goes on live', async () => {
      const many = await publishMany(server, 202)
      const within = await open({ last: many[1]?.id ?? '' })
      expect(idsOf(await within.seen(200))).toEqual(many.slice(2).map((event) => event.id))
      const beyond = await open({ last: many[0]?.id ?? '' })
      const live = await publish(server)
      const [gap, next] = await beyond.seen(2)
      expect(fieldOf(gap, 'event')).toBe('gap')
      expect(fieldOf(gap, 'id')).toBeUndefined()
      expect(JSON.parse(fieldOf(gap, 'data') ?? '')).toEqual({ requested: many[0]?.id, oldest: many[2]?.id })
      expect(fieldOf(next, 'id')).toBe(live.id)
    })

    it('counts only what its filters match when it decides about a gap', async () => {
      const sessionId = server.app.newId('ses')
      const first = await publish(server, { sessionId })
      await publishMany(server, 201)
      const second = await publish(server, { sessionId })
      const stream = await open({ query: { sessionId }, last: first.id })
      expect(idsOf(await stream.seen(1))).toEqual([second.id])
    })

    it('treats an id of another organisation or the other environment, or one that never was, as a gap, and goes on live', async () => {
      const sessionId = server.app.newId('ses')
      const foreign = await publish(server, { org: 1, sessionId })
      const live = await publish(server, { environment: 'live', sessionId })
      const ours = await publishMany(server, 2, { sessionId })
      for (const last of [foreign.id, live.id, server.app.newId('evt')]) {
        const stream = await open({ last, query: { sessionId } })
        const next = await publish(server, { sessionId })
        const [gap, following] = await stream.seen(2)
        expect(fieldOf(gap, 'event')).toBe('gap')
        expect(JSON.parse(fieldOf(gap, 'data') ?? '')).toEqual({ requested: last, oldest: ours[0]?.id })
        expect(fieldOf(following, 'id')).toBe(next.id)
      }
    })

    it('tells of a gap before which nothing is left', async () => {
      const last = server.app.newId('evt')
      const stream = await open({ last, query: { sessionId: server.app.newId('ses') } })
      const [gap] = await stream.seen(1)
      expect(JSON.parse(fieldOf(gap, 'data') ?? '')).toEqual({ requested: last, oldest: null })
    })

    it('refuses an id that cannot be one with an ordinary answer', async () => {
      for (const stream of [await open({ last: 'not-an-id' }), await open({ query: { lastEventId: '12' } })]) {
        expect(stream.status).toBe(400)
        expect(stream.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect(await stream.ended).toBe(true)
      }
    })

    it('answers HEAD without opening a stream', async () => {
      const headers = { authorization: `Bearer ${server.orgs[0].sandboxKey}` }
      // Streams of earlier tests may still be closing.
      await until(() => server.app.streams.size === 0)
      const answer = await fetch(`${server.url}/v1/api/events/stream`, { method: 'HEAD', headers })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
      expect(server.app.streams.size).toBe(0)
    })

    it('shows only the types and the session that were asked for', async () => {
      const sessionId = server.app.newId('ses')
      const started = await open({ query: { types: 'session.started' } })
      const ofSession = await open({ query: { sessionId } })
      const both = await open({ query: { sessionId, types: 'session.started' } })
      await publish(server)
      const a = await publish(server, { type: 'session.started' })
      const b = await publish(server, { sessionId })
      const c = await publish(server, { type: 'session.started', sessionId })
      expect(idsOf(await started.seen(2))).toEqual([a.id, c.id])
      expect(idsOf(await ofSession.seen(2))).toEqual([b.id, c.id])
      expect(idsOf(await both.seen(1))).toEqual([c.id])
    })

    it('never mixes sandbox and live, nor two organisations', async () => {
      const sandbox = await open()
      const live = await open({ key: server.orgs[0].liveKey })
      const other = await open({ key: server.orgs[1].sandboxKey })
      const a = await publish(server, { environment: 'live' })
      const b = await publish(server, { org: 1 })
      const c = await publish(server)
      // A second round, so that what wrongly follows the first would be seen too.
      const [a2, b2, c2] = [
        await publish(server, { environment: 'live' }),
        await publish(server, { org: 1 }),
        await publish(server),
      ]
      expect(idsOf(await live.seen(2))).toEqual([a.id, a2.id])
      expect(idsOf(await other.seen(2))).toEqual([b.id, b2.id])
      expect(idsOf(await sandbox.seen(2))).toEqual([c.id, c2.id])
    })

    it('beats every 15 seconds, and ends at the first beat after its key was revoked', async () => {
      const api = server.orgs[1].liveKey
      const stream = await open({ key: api })
      const beats = async (events: number) => {
        await publish(server, { org: 1, environment: 'live' })
        await stream.seen(events)
        return stream.blocks.filter((block) => block === ': heartbeat').length
      }
      server.clock.advance(14_999)
      expect(await beats(1)).toBe(0)
      server.clock.advance(1)
      expect(await beats(2)).toBe(1)
      server.clock.advance(15_000)
      expect(await beats(3)).toBe(2)
      await server.app.db.transact((tx) =>
        tx.run('UPDATE api_keys SET revoked_at = ? WHERE org_id = ? AND environment = ?', [
          server.clock.now(),
          server.orgs[1].orgId,
          'live',
        ]),
      )
      server.clock.advance(15_000)
      expect(await stream.ended).toBe(true)
      expect((await open({ key: api })).status).toBe(401)
    })

    it('ends at once when its key was revoked while it began', async () => {
      const { places } = server.app.shared
      const { orgId, liveKey } = server.orgs[0]
      const live = [orgId, 'live']
      const set = (at: number | null) =>
        server.app.db.transact((tx) =>
          tx.run('UPDATE api_keys SET revoked_at = ? WHERE org_id = ? AND environment = ?', [at, ...live]),
        )
      const take = vi.spyOn(places, 'take').mockImplementationOnce(async () => {
        await set(server.clock.now())
        // What looks again at every stream was here already, and did not know this one.
        server.app.credentials.forget()
        return true
      })
      const stream = await open({ key: liveKey })
      expect(await stream.ended).toBe(true)
      take.mockRestore()
      await set(null)
      server.app.credentials.clear()
    })

    it('brings eventsource through 20 dropped connections without a gap or a duplicate', async () => {
      const { fetch, cut } = cuttingFetch(server.orgs[0].sandboxKey)
      const source = new EventSource(`${server.url}/v1/api/events/stream`, { fetch })
      const seen: string[] = []
      const watchers = new Set<() => void>()
      let connections = 0
      source.addEventListener('session.scheduled', (event) => {
        seen.push(event.lastEventId)
        for (const watcher of watchers) watcher()
      })
      const opened = new Promise<void>((resolve) => {
        source.onopen = () => {
          connections += 1
          resolve()
        }
      })
      const arrived = (count: number) =>
        new Promise<void>((resolve) => {
          const check = () => {
            if (seen.length < count) return
            watchers.delete(check)
            resolve()
          }
          watchers.add(check)
          check()
        })
      await opened
      const published: string[] = []
      for (let drop = 0; drop < 20; drop++) {
        published.push(...(await publishMany(server, 3)).map((event) => event.id))
        // Some have arrived by now and some have not: wherever the connection breaks, the next one goes on from there.
        await arrived(published.length - (drop % 3))
        cut()
        published.push(...(await publishMany(server, 2)).map((event) => event.id))
        await arrived(published.length)
      }
      source.close()
      expect(seen).toEqual(published)
      expect(connections).toBe(21)
    })
  })

describe('an event stream of a server that goes away', () => {
  it('ends with a hint when to come back', async () => {
    const server = await startServer()
    try {
      const stream = await openStream(`${server.url}/v1/api/events/stream`, {
        authorization: `Bearer ${server.orgs[0].sandboxKey}`,
      })
      const closing = server.app.streams.close({ withinMs: 1000 })
      server.clock.advance(1000)
      await closing
      expect(await stream.ended).toBe(true)
      const hints = stream.blocks.filter((block) => block.startsWith('retry: '))
      expect(hints).toHaveLength(2)
      expect(Number(hints[1]?.slice(7))).toBeGreaterThanOrEqual(1000)
    } finally {
      await server.stop()
    }
  })
})

it('a key keeps so many streams open and no more; one that ends makes room', async () => {
  const server = await startServer({ limits: { streamsPerKey: 2 } })
  try {
    const [{ sandboxKey, liveKey }] = server.orgs
    const url = `${server.url}/v1/api/events/stream`
    const open = (key: string) => openStream(url, { authorization: `Bearer ${key}` })
    const first = await open(sandboxKey)
    const others = [await open(sandboxKey), await open(liveKey)]
    const refused = await fetch(url, { headers: { authorization: `Bearer ${sandboxKey}` } })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('15')
    first.close()
    await first.ended
    await until(() => server.app.streams.size === 2)
    others.push(await open(sandboxKey))
    for (const stream of others) stream.close()
  } finally {
    await server.stop()
  }
})
