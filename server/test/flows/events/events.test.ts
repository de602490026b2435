import type { Client } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { publish, publishMany } from '../../test-support/publish.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

for (const engine of everyEngine())
  describe(`events.list (${engine})`, () => {
    let server: TestServer
    let api: Client
    const published: { id: string; type: string; sessionId: string | null; envelope: string }[] = []

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
      const sessions = [server.app.newId('ses'), server.app.newId('ses')]
      for (let n = 0; n < 12; n++)
        published.unshift(
          await publish(server, {
            type: n % 3 === 0 ? 'session.started' : 'session.scheduled',
            sessionId: sessions[n % 2] ?? '',
          }),
        )
    })
    afterAll(() => server.stop())

    const list = async (query: Record<string, unknown>, client = api) =>
      (await client.call('events.list', { query })).data

    it('answers every event once, newest first, in pages, with the envelope that is delivered', async () => {
      const pages = [
        await list({ limit: 5 }),
        await list({ limit: 5, offset: 5 }),
        await list({ limit: 5, offset: 10 }),
      ]
      expect(pages.map((page) => page.total)).toEqual([12, 12, 12])
      expect(pages.flatMap((page) => page.items)).toEqual(
        published.map((event) => JSON.parse(event.envelope) as unknown),
      )
      expect((await list({ offset: 12 })).items).toEqual([])
      expect((await list({ offset: 1000 })).items).toEqual([])
    })

    it('filters by types', async () => {
      const started = published.filter((event) => event.type === 'session.started')
      const page = await list({ types: 'session.started' })
      expect(page.total).toBe(started.length)
      expect(page.items.map((item) => item.id)).toEqual(started.map((event) => event.id))
      const both = await list({ types: 'session.started, session.scheduled,session.started', limit: 100 })
      expect(both.items.map((item) => item.id)).toEqual(published.map((event) => event.id))
    })

    it('filters by session, alone and with types, and pages within the filter', async () => {
      const sessionId = published[0]?.sessionId ?? ''
      const ofSession = published.filter((event) => event.sessionId === sessionId)
      const page = await list({ sessionId, limit: 2, offset: 1 })
      expect(page.total).toBe(ofSession.length)
      expect(page.items.map((item) => item.id)).toEqual(ofSession.slice(1, 3).map((event) => event.id))
      const both = await list({ sessionId, types: 'session.started' })
      expect(both.total).toBe(ofSession.filter((event) => event.type === 'session.started').length)
      expect(await list({ sessionId: 'ses_unknown' })).toMatchObject({ items: [], total: 0 })
    })

    it('refuses a type that there is not, instead of finding nothing', async () => {
      for (const types of ['session.exploded', 'session.started,session.exploded'])
        expect(await refusalOf(list({ types }))).toMatchObject({ status: 400, details: [{ path: 'types' }] })
    })

    it('shows neither the other environment nor the other organisation', async () => {
      expect(await list({}, server.client(server.orgs[0].liveKey))).toMatchObject({ items: [], total: 0 })
      const stranger = server.client(server.orgs[1].sandboxKey)
      expect(await list({}, stranger)).toMatchObject({ items: [], total: 0 })
      const filtered = { sessionId: published[0]?.sessionId ?? '', types: 'session.scheduled' }
      expect(await list(filtered, stranger)).toMatchObject({ items: [], total: 0 })
    })

    it('numbers concurrent publications without a gap, so that no page loses one', async () => {
      const live = server.client(server.orgs[0].liveKey)
      const many = await Promise.all(Array.from({ length: 20 }, () => publishMany(server, 2, { environment: 'live' })))
      const page = await list({ limit: 100 }, live)
      expect(page.total).toBe(40)
      expect(new Set(page.items.map((item) => item.id))).toEqual(new Set(many.flat().map((event) => event.id)))
    })
  })
