import { sessionBounds, sessionRoom } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent, type LiveSession, liveSession } from '../../test-support/world.ts'

type Event = ReturnType<typeof anEvent>
const batchSize = 500

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what one session holds (${engine})`, () => {
    let server: TestServer
    let session: LiveSession

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    beforeEach(async () => {
      const { orgId, sandboxKey } = server.orgs[0]
      session = await liveSession(server, { orgId, environment: 'sandbox' }, sandboxKey)
    })
    afterAll(() => server.stop())

    const ingest = (events: readonly Event[]) =>
      server
        .client(session.agent)
        .call('agent.events.ingest', { params: { id: session.id }, body: { events: [...events] } })
    const plant = async (events: readonly Event[]) => {
      for (let at = 0; at < events.length; at += batchSize) await ingest(events.slice(at, at + batchSize))
    }
    const report = async () =>
      (await server.client(server.orgs[0].sandboxKey).call('sessions.report', { params: { id: session.id } })).data
    const screen = async () => (await report()).coverage.find(({ lane }) => lane === 'screen')
    const iso = (ms: number) => new Date(server.clock.now() + ms).toISOString()
    const span = (from: number, to: number) => ({ lane: 'screen', fromAt: iso(from), toAt: iso(to) })
    const gap = (n: number) => anEvent(server, 'lane.gap', { ...span(20 * n, 20 * n + 10), reason: 'paused' })
    const window = (n: number) =>
      anEvent(server, 'lane.coverage', { ...span(20 * n, 20 * n + 10), expectedSeconds: 5, observedSeconds: 1 })
    const some = (n: number, make: (i: number) => Event) => Array.from({ length: n }, (_, i) => make(i))
    const countOf = async (table: 'lane_gaps' | 'lane_windows') =>
      (await server.app.db.reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE session_id = ?`, [
        session.id,
      ]))!.n

    it('joins gaps that touch, so that a thousand are one', async () => {
      await plant(
        some(1000, (n) => anEvent(server, 'lane.gap', { ...span(10 * n, 10 * n + 10), reason: 'paused' })).reverse(),
      )
      expect(await countOf('lane_gaps')).toBe(1)
      expect((await screen())?.gaps).toMatchObject([{ fromAt: iso(0), toAt: iso(10_000), reason: 'paused' }])
    })

    it('joins windows that observed all they expected', async () => {
      const full = (n: number) =>
        anEvent(server, 'lane.coverage', { ...span(1e4 * n, 1e4 * (n + 1)), expectedSeconds: 10, observedSeconds: 10 })
      await plant(some(6, full))
      await plant(some(3, (n) => full(6 + n)))
      expect(await countOf('lane_windows')).toBe(1)
      expect(await screen()).toMatchObject({ expected: 90, observed: 90 })
    })

    it('refuses a gap beyond the bound, names it, and takes the rest of its batch', async () => {
      await plant(some(sessionBounds.gaps - 1, gap))
      const more = [gap(sessionBounds.gaps), anEvent(server), gap(sessionBounds.gaps + 1)]
      const refusal = await refusalOf(ingest(more))
      expect(refusal).toMatchObject({ status: 400, code: 'invalid_request' })
      expect(refusal.details).toEqual([
        { path: 'events.2.data', message: `a session holds ${sessionBounds.gaps} gaps` },
      ])
      await ingest(more.slice(0, 2))
      expect(await countOf('lane_gaps')).toBe(sessionBounds.gaps)
      // One that makes two into one is always taken.
      await ingest([anEvent(server, 'lane.gap', { ...span(0, 30), reason: 'paused' })])
      expect(await countOf('lane_gaps')).toBe(sessionBounds.gaps - 1)
    })

    it('refuses a stretch of coverage beyond the bound', async () => {
      await plant(some(sessionBounds.windows, window))
      const refusal = await refusalOf(ingest([window(sessionBounds.windows)]))
      expect(refusal.details).toMatchObject([{ path: 'events.0.data' }])
    })

    it('has room for so many events and their data by its length, and says when to go on', async () => {
      await ingest([anEvent(server)])
      const fill = (eventCount: number, eventBytes: number) =>
        server.app.db.transact((tx) =>
          tx.run('UPDATE session_counters SET event_count = ?, event_bytes = ? WHERE session_id = ?', [
            ...[eventCount, eventBytes, session.id],
          ]),
        )
      const counted = async () =>
        (await server.app.db.reader.get<{ bytes: number }>(
          'SELECT event_bytes AS bytes FROM session_counters WHERE session_id = ?',
          [session.id],
        ))!.bytes
      const before = await counted()
      expect(before).toBeGreaterThan(0)
      const one = anEvent(server, 'own.kind', { text: 'x'.repeat(8000) })
      await ingest([one])
      // The same event again is held once.
      await ingest([one])
      expect((await counted()) - before).toBe(JSON.stringify(one.data).length)
      for (const [events, bytes] of [
        [sessionRoom.events.atOnce * 10, 0],
        [100, sessionRoom.eventBytes.atOnce * 10],
      ] as const) {
        await fill(events, bytes)
        const refusal = await refusalOf(ingest([anEvent(server)]))
        expect(refusal).toMatchObject({ status: 429, code: 'rate_limited' })
        // What is held already needs no room: an agent whose answer was lost goes on.
        expect((await ingest([one])).data).toMatchObject({ accepted: 0, duplicates: 1 })
        expect(refusal.message).toContain('a session of this length holds at most')
      }
    })

    it('refuses what one event says at more length than any', async () => {
      const refusal = await refusalOf(ingest([anEvent(server, 'own.kind', { text: 'x'.repeat(8192) })]))
      expect(refusal.details).toMatchObject([
        { path: 'events.0.data', message: 'must be at most 8192 characters as JSON' },
      ])
    })

    it('refuses a display beyond the bound, whatever tells of it', async () => {
      const health = (displayId: string) => anEvent(server, 'lane.health', { lane: 'screen', displayId, health: 'up' })
      await plant(some(sessionBounds.displays, (n) => health(`d${n}`)))
      const told = { displayId: 'another', reason: 'paused' }
      const refusal = await refusalOf(ingest([health('d0'), anEvent(server, 'lane.gap', { ...span(0, 9), ...told })]))
      expect(refusal.details).toMatchObject([{ path: 'events.1.data' }])
    })

    it('refuses a kind beyond the bound that no registry knows, and goes on to take those it does', async () => {
      await plant(some(sessionBounds.otherKinds, (n) => anEvent(server, `own.kind_${n}`)))
      const refusal = await refusalOf(ingest([anEvent(server, 'own.kind_0'), anEvent(server, 'own.another')]))
      expect(refusal.details).toMatchObject([{ path: 'events.1.kind' }])
      await ingest([anEvent(server, 'own.kind_1'), anEvent(server, 'display.added')])
    })
  })
