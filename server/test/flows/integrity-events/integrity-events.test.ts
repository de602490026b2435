import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settleMs } from '../../../src/kernel/time.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, type LiveSession, liveSession, nowIso } from '../../test-support/world.ts'

type Event = ReturnType<typeof anEvent>

for (const engine of everyEngine())
  describe(`integrity events (${engine})`, () => {
    let server: TestServer
    let api: Client
    let session: LiveSession

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    beforeEach(async () => {
      const { orgId, sandboxKey } = server.orgs[0]
      session = await liveSession(server, { orgId, environment: 'sandbox' }, sandboxKey)
    })
    afterAll(() => server.stop())

    const ingest = async (events: readonly Event[]) =>
      (
        await server
          .client(session.agent)
          .call('agent.events.ingest', { params: { id: session.id }, body: { events: [...events] } })
      ).data
    const list = async (
      query: { limit?: number; offset?: number; category?: 'observation' | 'bookkeeping' | 'all' } = {},
    ) => (await api.call('sessions.events.list', { params: { id: session.id }, query })).data
    const published = async () => {
      const query = { sessionId: session.id, types: 'source.health_changed' }
      return (await api.call('events.list', { query })).data.items.map((item) => item.data)
    }
    const at = (seconds: number) => new Date(server.clock.now() + seconds * 1000).toISOString()
    const lane = (kind: string, data: Record<string, string | number>, seconds = 0): Event => ({
      ...anEvent(server, kind, { lane: 'screen', ...data }),
      observedAt: at(seconds),
    })

    describe('agent.events.ingest', () => {
      it('keeps what was sent, in the order of receipt', async () => {
        const events = [
          { ...anEvent(server, 'foreground.changed', { name: 'Editor' }), monotonicMs: 12.5 },
          { ...anEvent(server, 'something.new_1'), observedAt: at(-60) },
        ]
        expect(await ingest(events)).toEqual({ accepted: 2, duplicates: 0, health: { backoffMs: expect.any(Number) } })
        const { items, total, counts } = await list()
        expect(total).toBe(2)
        expect(counts).toEqual({ 'foreground.changed': 1, 'something.new_1': 1 })
        expect(items).toMatchObject([
          { ...events[0], position: 1, sessionId: session.id, receivedAt: nowIso(server) },
          { ...events[1], position: 2, monotonicMs: null },
        ])
      })

      it('counts a clientId once, within a batch and across batches, and keeps positions dense', async () => {
        const [a, b, c, d] = [1, 2, 3, 4].map(() => anEvent(server)) as [Event, Event, Event, Event]
        expect(await ingest([a, b, a])).toMatchObject({ accepted: 2, duplicates: 1 })
        expect(await ingest([b, c, b, d, c])).toMatchObject({ accepted: 2, duplicates: 3 })
        expect(await ingest([a, b, c, d])).toMatchObject({ accepted: 0, duplicates: 4 })
        const { items, total, counts } = await list()
        expect(items.map((item) => [item.position, item.clientId])).toEqual(
          [a, b, c, d].map((event, i) => [i + 1, event.clientId]),
        )
        expect(total).toBe(4)
        expect(counts).toEqual({ 'display.added': 4 })
        expect((await api.call('sessions.get', { params: { id: session.id } })).data.eventCount).toBe(4)
      })

      it('keeps what is about the recording apart: out of counts, totals, timeline and report, and given when asked for', async () => {
        const agent = () => anEvent(server, 'agent.started')
        const health = () => lane('lane.health', { health: 'up' })
        const repeated = anEvent(server, 'idle.started')
        await ingest([agent(), repeated, health(), anEvent(server, 'idle.ended')])
        await ingest([repeated, health(), anEvent(server, 'something.new_2'), lane('lane.something_new', {})])
        const kindsOf = async (query: Parameters<typeof list>[0]) => (await list(query)).items.map(({ kind }) => kind)
        const seen = ['idle.started', 'idle.ended', 'something.new_2']
        expect(await kindsOf({})).toEqual(seen)
        expect(await kindsOf({ limit: 1, offset: 2 })).toEqual(['something.new_2'])
        const { total, counts, items } = await list()
        expect({ total, counts }).toEqual({ total: 3, counts: Object.fromEntries(seen.map((kind) => [kind, 1])) })
        expect(new Set(items.map(({ category }) => category))).toEqual(new Set(['observation']))
        const kept = ['agent.started', 'lane.health', 'lane.health', 'lane.something_new']
        expect(await kindsOf({ category: 'bookkeeping' })).toEqual(kept)
        expect(await kindsOf({ category: 'bookkeeping', limit: 2, offset: 1 })).toEqual(kept.slice(1, 3))
        expect((await list({ category: 'bookkeeping' })).total).toBe(4)
        expect((await list({ category: 'all' })).items.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7])
        expect((await list({ category: 'all', limit: 1, offset: 6 })).items.length).toBe(1)
        const params = { id: session.id }
        expect((await api.call('sessions.get', { params })).data.eventCount).toBe(3)
        const { data: report } = await api.call('sessions.report', { params })
        expect({ total: report.signalTotal, kinds: report.signalsByKind }).toEqual({ total: 3, kinds: counts })
        const member = { headers: await portalCookie(server, 'owner', server.orgs[0].orgId) }
        const timeline = async (query: { kind?: 'event' | 'bookkeeping'; limit?: number }) =>
          (await server.client().call('portal.timeline', { ...member, params, query })).data
        expect((await timeline({ limit: 100 })).items.filter(({ kind }) => kind === 'event')).toHaveLength(3)
        expect((await timeline({ kind: 'event' })).total).toBe(3)
        expect((await timeline({ kind: 'bookkeeping' })).total).toBe(4)
        const { data: live } = await server.client().call('sessions.live', { ...member, params, query: { limit: 2 } })
        expect(live.signals).toMatchObject({ total: 3, items: [{ kind: 'idle.ended' }, { kind: 'something.new_2' }] })
        const since = { limit: 2, since: live.cursor }
        await ingest([health(), anEvent(server, 'screen.locked')])
        const { data: later } = await server.client().call('sessions.live', { ...member, params, query: since })
        expect(later.signals.items.map(({ kind }) => kind)).toEqual(['screen.locked'])
      })

      it('keeps the first of two events with one clientId', async () => {
        const event = anEvent(server, 'idle.started')
        await ingest([event, { ...event, kind: 'idle.ended' }])
        await ingest([{ ...event, kind: 'screen.locked' }])
        expect((await list()).counts).toEqual({ 'idle.started': 1 })
      })

      it('a clientId belongs to its session', async () => {
        const event = anEvent(server)
        await ingest([event])
        const { orgId, sandboxKey } = server.orgs[0]
        session = await liveSession(server, { orgId, environment: 'sandbox' }, sandboxKey)
        expect(await ingest([event])).toMatchObject({ accepted: 1 })
      })

      it('takes 500 at once and refuses 501, none, and a bad one with its place', async () => {
        const many = Array.from({ length: 501 }, () => anEvent(server))
        expect((await refusalOf(ingest(many))).details).toMatchObject([{ path: 'events' }])
        expect((await refusalOf(ingest([]))).details).toMatchObject([{ path: 'events' }])
        many[300] = { ...anEvent(server), kind: 'Not A Kind' }
        expect((await refusalOf(ingest(many.slice(0, 500)))).details).toMatchObject([{ path: 'events.300.kind' }])
        expect((await list()).total).toBe(0)
        many[300] = anEvent(server)
        expect(await ingest(many.slice(0, 500))).toMatchObject({ accepted: 500 })
        expect(await list({ limit: 1, offset: 499 })).toMatchObject({ total: 500, items: [{ position: 500 }] })
      })

      it('refuses the whole batch for one event, and names it', async () => {
        const bad: [string, Event][] = [
          ['events.1.observedAt', { ...anEvent(server), observedAt: 'yesterday' }],
          ['events.1.observedAt', { ...anEvent(server), observedAt: at(5 * 60 + 1) }],
          ['events.1.observedAt', { ...anEvent(server), observedAt: at(-5 * 60 - 1) }],
          ['events.1.observedAt', { ...anEvent(server, 'agent.started'), observedAt: '9999-12-31T23:59:59-23:59' }],
          ['events.1.clientId', { ...anEvent(server), clientId: 'short' }],
          ['events.1.source', { ...anEvent(server), source: '' }],
          ['events.1.data', { ...anEvent(server), data: { text: 'x'.repeat(16_384) } }],
          ['events.1.data.lane', lane('lane.health', { lane: 'telepathy', health: 'up' })],
          ['events.1.data.health', lane('lane.health', { health: 'fine' })],
          ['events.1.data.reason', lane('lane.gap', { fromAt: at(0), toAt: at(1), reason: 'bored' })],
          ['events.1.data.toAt', lane('lane.gap', { fromAt: at(1), toAt: at(0), reason: 'paused' })],
          [
            'events.1.data.observedSeconds',
            lane('lane.coverage', { fromAt: at(0), toAt: at(1), expectedSeconds: 1, observedSeconds: -1 }),
          ],
        ]
        for (const [path, event] of bad) {
          const { details, status } = await refusalOf(ingest([anEvent(server), event, anEvent(server)]))
          expect(status).toBe(400)
          expect(details.map((detail) => detail.path)).toEqual([path])
        }
        expect(await list()).toMatchObject({ total: 0, counts: {} })
      })

      it('takes the 5 minutes by which a clock may be off', async () => {
        const events = [at(5 * 60), at(-5 * 60)].map((observedAt) => ({ ...anEvent(server), observedAt }))
        expect(await ingest(events)).toMatchObject({ accepted: 2 })
      })

      it('several batches at once lose nothing and number every event once', async () => {
        const batches = Array.from({ length: 8 }, () => Array.from({ length: 10 }, () => anEvent(server)))
        const shared = anEvent(server)
        const results = await Promise.all(batches.map((batch) => ingest([...batch, shared])))
        expect(results.reduce((sum, result) => sum + result.accepted, 0)).toBe(81)
        expect(results.reduce((sum, result) => sum + result.duplicates, 0)).toBe(7)
        const { items, total } = await list({ limit: 100 })
        expect(total).toBe(81)
        expect(items.map((item) => item.position)).toEqual(Array.from({ length: 81 }, (_, i) => i + 1))
      })
    })

    describe('source.health_changed', () => {
      /** What was published once states had the time to settle. */
      const settled = async () => {
        server.clock.advance(settleMs)
        await server.processAll()
        return published()
      }

      it('is published once a state has settled, and what came and went meanwhile is not, over however many requests', async () => {
        for (let n = 0; n < 60; n += 1)
          await ingest([lane('lane.health', { lane: 'camera', health: n % 2 === 0 ? 'down' : 'up' }, n / 100)])
        await server.processAll()
        expect(await published()).toEqual([])
        server.clock.advance(settleMs - 1)
        await server.processAll()
        expect(await published()).toEqual([])
        server.clock.advance(1)
        await server.processAll()
        expect(await published()).toMatchObject([
          { lane: 'camera', previous: 'unknown', current: 'up', since: at(0.59 - settleMs / 1000) },
        ])
        await ingest([lane('lane.health', { lane: 'camera', health: 'down' }, 1)])
        await ingest([lane('lane.health', { lane: 'camera', health: 'up' }, 2)])
        expect(await settled()).toHaveLength(1)
      })

      it('is published while a lane never rests, as the lane is by then', async () => {
        for (const health of ['up', 'degraded', 'down', 'up', 'degraded', 'down']) {
          await ingest([lane('lane.health', { health })])
          server.clock.advance((settleMs * 2) / 3)
          await server.processAll()
        }
        expect((await settled()).map(({ previous, current }) => [previous, current])).toEqual([
          ['up', 'down'],
          ['degraded', 'up'],
          ['unknown', 'degraded'],
        ])
      })

      it('is still published by a process that comes after the one that took the events, and when the session has ended', async () => {
        await ingest([lane('lane.health', { health: 'up' })])
        await api.call('sessions.end', { params: { id: session.id } })
        const rows = await server.app.db.reader.all<{ payload: string }>(
          "SELECT payload FROM jobs WHERE kind = 'lanes.settle' AND state = 'queued' AND org_id = ?",
          [server.orgs[0].orgId],
        )
        expect(rows.map(({ payload }) => JSON.parse(payload) as unknown)).toContainEqual({ sessionId: session.id })
        expect(await settled()).toMatchObject([{ current: 'up', session: { id: session.id, state: 'ended' } }])
      })

      it('is published once for a lane, however often it changes in a batch, and the newest word wins', async () => {
        const flaps = Array.from({ length: 50 }, (_, n) =>
          lane('lane.health', { lane: 'camera', displayId: 'flapping', health: n % 2 === 0 ? 'down' : 'up' }, n / 10),
        )
        const late = lane('lane.health', { lane: 'camera', displayId: 'flapping', health: 'down' }, -1)
        await ingest([...flaps, late])
        const changes = await settled()
        expect(changes).toHaveLength(1)
        expect(changes[0]).toMatchObject({ displayId: 'flapping', previous: 'unknown', current: 'up' })
      })

      it('is published when a lane changes, with what it was before and since when it is so', async () => {
        await ingest([lane('lane.health', { health: 'up' })])
        await settled()
        const down = at(2)
        await ingest([
          lane('lane.health', { health: 'up' }, 1),
          lane('lane.health', { health: 'down', reason: 'no frames' }, 2),
        ])
        await ingest([lane('lane.health', { health: 'down', reason: 'no frames' }, 3)])
        expect((await settled()).reverse()).toMatchObject([
          { lane: 'screen', displayId: null, previous: 'unknown', current: 'up', reason: null },
          {
            lane: 'screen',
            previous: 'up',
            current: 'down',
            since: down,
            reason: 'no frames',
            session: { id: session.id, state: 'live' },
          },
        ])
      })

      it('is not published for an event older than the last word of its lane', async () => {
        await ingest([lane('lane.health', { health: 'up' }, 10)])
        await ingest([lane('lane.health', { health: 'down' }, 5)])
        expect((await settled()).length).toBe(1)
        // The lane said `up` again at 20: what it was at 15 is history, though it differs from the state at 10.
        await ingest([lane('lane.health', { health: 'up' }, 20)])
        await ingest([lane('lane.health', { health: 'down' }, 15)])
        expect((await settled()).length).toBe(1)
        await ingest([lane('lane.health', { health: 'degraded' }, 20)])
        expect((await settled()).length).toBe(2)
      })

      it('follows each display and each lane for itself, and not a duplicate', async () => {
        const first = lane('lane.health', { health: 'up', displayId: 'd1' })
        await ingest([
          first,
          lane('lane.health', { health: 'down', displayId: 'd2' }),
          lane('lane.health', { health: 'up', lane: 'camera' }),
        ])
        const changes = (await settled()).map((data) =>
          JSON.stringify([data['lane'], data['displayId'], data['current']]),
        )
        expect(changes.sort()).toEqual(['["camera",null,"up"]', '["screen","d1","up"]', '["screen","d2","down"]'])
        await ingest([
          first,
          { ...first, data: { lane: 'screen', displayId: 'd1', health: 'down' }, observedAt: at(9) },
        ])
        expect((await settled()).length).toBe(3)
      })
    })

    describe('lane.clock', () => {
      it('is kept as it was told, changes nothing of the lane, and is refused without a lane or a whole distance', async () => {
        await ingest([lane('lane.clock', { offsetMs: -3_600_000 })])
        expect((await list({ category: 'bookkeeping' })).items).toMatchObject([
          { kind: 'lane.clock', data: { lane: 'screen', offsetMs: -3_600_000 } },
        ])
        expect(await published()).toEqual([])
        for (const data of [
          { offsetMs: 0.5, lane: 'screen' },
          { offsetMs: 1, lane: 'elsewhere' },
        ]) {
          expect((await refusalOf(ingest([lane('lane.clock', data)]))).code).toBe('invalid_request')
        }
      })
    })

    describe('lane.withdrawn', () => {
      it('stops the events themselves when it is the signals lane', async () => {
        await ingest([anEvent(server), anEvent(server, 'lane.withdrawn', { lane: 'signals' })])
        expect((await refusalOf(ingest([anEvent(server)]))).code).toBe('forbidden')
        expect(await ingest([lane('lane.health', { health: 'down' })])).toMatchObject({ accepted: 1 })
      })
    })
  })
