import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Live, segment, transcriptsOf } from './transcripts.test-support.ts'

type Fixture = ReturnType<typeof transcriptsOf>

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the timeline (${engine})`, () => {
    let server: TestServer
    let live: Fixture['live']
    let upsert: Fixture['upsert']
    let read: Fixture['read']

    beforeAll(async () => {
      server = await startServer({ engine })
      ;({ live, upsert, read } = transcriptsOf(server))
    })
    afterAll(() => server.stop())

    describe('portal.timeline', () => {
      const timeline = async (
        session: Live,
        query: { kind?: 'speech' | 'event'; limit?: number; offset?: number } = {},
      ) =>
        (
          await server.client().call('portal.timeline', {
            params: { id: session.id },
            query,
            headers: await portalCookie(server, 'reviewer'),
          })
        ).data
      const at = (session: Live, ms: number) => new Date(session.startedAt + ms).toISOString()

      const observe = (session: Live, ms: number, kind = 'display.added') =>
        session.agent.call('agent.events.ingest', {
          params: { id: session.id },
          body: {
            events: [
              {
                clientId: `event-${ms}-${kind}`,
                kind,
                observedAt: at(session, ms),
                source: 'displays',
                data: { n: ms },
              },
            ],
          },
        })
      const still = async (session: Live, ms: number, displayId: string) => {
        const bytes = await sharp({
          create: { width: 16, height: 16, channels: 3, background: { r: ms % 256, g: 9, b: 9 } },
        })
          .png()
          .toBuffer()
        const { data } = await session.agent.call('agent.screenshots.upload', {
          params: { id: session.id },
          raw: {
            bytes,
            contentType: 'image/png',
            meta: {
              clientId: `still-${ms}`,
              capturedAt: at(session, ms),
              displayId,
              width: 16,
              height: 16,
              contentType: 'image/png',
              sha256: createHash('sha256').update(bytes).digest('hex'),
            },
          },
        })
        return data.id
      }

      it('merges speech, screenshots and events in the order of time', async () => {
        const session = await live()
        server.clock.advance(10_000)
        await upsert(session, segment(4), segment(1))
        await observe(session, 3000)
        const later = await still(session, 5000, 'right')
        const earlier = await still(session, 2000, 'left')
        await observe(session, 1000)
        const whole = await timeline(session, { limit: 100 })
        expect(whole.total).toBe(whole.items.length)
        const items = whole.items.filter(({ kind }) => kind !== 'gap' && kind !== 'moment')
        expect(items.map((item) => [item.kind, item.at])).toEqual([
          ['event', at(session, 1000)],
          ['speech', at(session, 1000)],
          ['screenshot', at(session, 2000)],
          ['event', at(session, 3000)],
          ['speech', at(session, 4000)],
          ['screenshot', at(session, 5000)],
        ])
        expect(items[0]).toMatchObject({ event: { kind: 'display.added', source: 'displays', data: { n: 1000 } } })
        expect(items[2]).toMatchObject({ evidence: { id: earlier, displayId: 'left' } })
        expect(items[5]).toMatchObject({ evidence: { id: later, displayId: 'right' } })
        expect(items[1]).toMatchObject({ segment: (await read(session)).items[0] })
      })

      it('pages stably over what happened at the same instant, and by kind', async () => {
        const session = await live()
        server.clock.advance(10_000)
        await upsert(session, ...Array.from({ length: 9 }, (_, n) => segment(n, { startMs: 500, endMs: 600 })))
        for (let n = 0; n < 4; n++) await observe(session, 500, `kind${n}.seen`)
        const whole = await timeline(session, { limit: 100 })
        const offsets = Array.from({ length: Math.ceil(whole.total / 5) }, (_, n) => n * 5)
        const pages = offsets.map((offset) => timeline(session, { limit: 5, offset }))
        expect((await Promise.all(pages)).flatMap((page) => page.items)).toEqual(whole.items)
        expect(whole.total).toBe(whole.items.length)
        const events = whole.items.filter(({ kind }) => kind === 'event')
        expect(await timeline(session, { kind: 'event' })).toMatchObject({ total: 4, items: events })
        expect((await timeline(session, { kind: 'speech' })).total).toBe(9)
      })

      it('shows nothing of another session, organisation or environment, and refuses a kind that is none', async () => {
        const [session, other] = [await live(), await live()]
        await upsert(session, segment(1))
        for (const kind of ['speech', 'event'] as const)
          expect(await timeline(other, { kind })).toMatchObject({ items: [], total: 0 })
        const params = { id: session.id }
        const headers = await portalCookie(server, 'owner', server.orgs[1].orgId)
        await expect(server.client().call('portal.timeline', { params, headers })).rejects.toMatchObject({
          code: 'not_found',
        })
        await expect(timeline(session, { kind: 'mood' as 'event' })).rejects.toMatchObject({ code: 'invalid_request' })
      })
    })
  })
