import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { anEvent } from '../../test-support/world.ts'
import { reelsOf } from '../reels/reels.test-support.ts'
import { segment } from '../transcripts/transcripts.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`lists of a period (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())
    const t = reelsOf(() => server)
    const at = (start: number, ms: number) => new Date(start + ms).toISOString()

    it('hold what was captured in it, in the order in which it is played, and page like the whole', async () => {
      const s = await t.session()
      const start = await t.startOf(s)
      const { ids } = await t.sendStills(s, { count: 6 })
      const sound = await t.sendSound(s, 2)
      const list = async (query: object) =>
        (await s.api.call('sessions.evidence.list', { params: { id: s.id }, query })).data
      const found = await list({ from: at(start, 5000), to: at(start, 15_000) })
      expect([found.items.map(({ id }) => id), found.total]).toEqual([ids.slice(1, 3), 2])
      const open = await list({ from: at(start, 20_000) })
      expect(open.items.map(({ id }) => id)).toEqual([ids[4], ids[5], ...sound.ids])
      const first = await list({ from: at(start, 20_000), limit: 3 })
      expect(first.total).toBe(4)
      const rest = await list({ from: at(start, 20_000), limit: 3, cursor: first.nextCursor })
      expect([...first.items, ...rest.items]).toEqual(open.items)
      const shots = await list({ evidence_type: 'screenshot', to: at(start, 5000) })
      expect(shots.items.map(({ id }) => id)).toEqual(ids.slice(0, 1))
      const headers = await portalCookie(server)
      const { data: chunks } = await server.client().call('portal.audioChunks.list', {
        params: { id: s.id },
        headers,
        query: { from: at(start, 30_000) },
      })
      expect(chunks.items.map(({ id }) => id)).toEqual(sound.ids.slice(1))
    })

    it('refuse bounds that were swapped, and a cursor of other bounds', async () => {
      const s = await t.session()
      const start = await t.startOf(s)
      await t.sendStills(s, { count: 3 })
      const list = (query: object) => s.api.call('sessions.evidence.list', { params: { id: s.id }, query })
      await expect(list({ from: at(start, 2), to: at(start, 1) })).rejects.toMatchObject({ code: 'invalid_request' })
      const { data } = await list({ from: at(start, 0), limit: 1 })
      await expect(list({ from: at(start, 1), cursor: data.nextCursor })).rejects.toMatchObject({
        code: 'invalid_request',
      })
    })

    it('hold what was observed in it, in the order of time', async () => {
      const s = await t.session()
      const start = await t.startOf(s)
      server.clock.advance(60_000)
      const events = [30, 10, 20].map((second) => ({ ...anEvent(server), observedAt: at(start, second * 1000) }))
      await s.agent.call('agent.events.ingest', { params: { id: s.id }, body: { events } })
      const { data } = await s.api.call('sessions.events.list', {
        params: { id: s.id },
        query: { from: at(start, 10_000), to: at(start, 30_000) },
      })
      expect(data.items.map(({ observedAt }) => observedAt)).toEqual([at(start, 10_000), at(start, 20_000)])
      expect(data.total).toBe(2)
      expect(data.counts['display.added']).toBe(3)
    })

    it('hold what began to be said in it, and what of that changed', async () => {
      const s = await t.session({ config: { audio: { transcript: true } } })
      const start = await t.startOf(s)
      server.clock.advance(60_000)
      const say = (...segments: ReturnType<typeof segment>[]) =>
        s.agent.call('agent.transcript.upsert', { params: { id: s.id }, body: { segments } })
      await say(segment(1), segment(2), segment(3), segment(4))
      const read = async (query: object) =>
        (await s.api.call('sessions.transcript', { params: { id: s.id }, query })).data
      const period = { from: at(start, 2000), to: at(start, 4000) }
      const found = await read(period)
      expect([found.items.map(({ text }) => text), found.total]).toEqual([['words 2', 'words 3'], 2])
      await say(segment(1, { text: 'other words' }), segment(3, { text: 'firm words' }))
      const changed = await read({ ...period, since: found.cursor })
      expect([changed.items.map(({ text }) => text), changed.total]).toEqual([['firm words'], 1])
    })
  })
