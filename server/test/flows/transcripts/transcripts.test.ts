import type { Client } from '@integrity/client/every-endpoint'
import { type BuiltInRole, builtInRoles } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transcriptsEraser } from '../../../src/domains/review/transcripts/transcripts.erase.service.ts'
import { inTx } from '../../../src/kernel/call.ts'
import type { Scope } from '../../../src/kernel/identity/scope.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Live, segment, transcriptsOf } from './transcripts.test-support.ts'

type Fixture = ReturnType<typeof transcriptsOf>

for (const engine of everyEngine())
  describe(`transcripts (${engine})`, () => {
    let server: TestServer
    let api: Client
    let orgId: string
    let live: Fixture['live']
    let upsert: Fixture['upsert']
    let read: Fixture['read']

    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
      api = server.client(server.orgs[0].sandboxKey)
      ;({ live, upsert, read } = transcriptsOf(server))
    })
    afterAll(() => server.stop())

    const texts = (page: { items: readonly { text: string }[] }) => page.items.map((item) => item.text)
    const scope = () => ({ orgId, environment: 'sandbox' as const })
    const audits = async (session: Live) =>
      (
        await server.app.db.reader.all<{ target: string }>(
          "SELECT target FROM audit_log WHERE org_id = ? AND session_id = ? AND action = 'session.transcript_changed' ORDER BY seq",
          [orgId, session.id],
        )
      ).map((row) => row.target)

    describe('agent.transcript.upsert', () => {
      it('stores a batch and answers how many segments it changed', async () => {
        const session = await live()
        expect(await upsert(session, segment(1), segment(2, { language: 'en-GB', confidence: 0.75 }))).toBe(2)
        const { items } = await read(session)
        expect(items[1]).toEqual({
          id: expect.stringMatching(/^seg_/),
          ...segment(2),
          speakerSaidBy: 'agent',
          language: 'en-GB',
          confidence: 0.75,
          updatedAt: new Date(server.clock.now()).toISOString(),
        })
        expect(items[0]).toMatchObject({ language: null, confidence: null })
      })

      it('changes nothing when the same content comes again, and keeps the id when it changes', async () => {
        const session = await live()
        await upsert(session, segment(1, { final: false }), segment(2))
        const before = await read(session)
        server.clock.advance(1000)
        expect(await upsert(session, segment(1, { final: false }), segment(2))).toBe(0)
        expect(await read(session)).toEqual(before)
        expect(await upsert(session, segment(1, { text: 'firm words', confidence: 1 / 3 }), segment(2))).toBe(1)
        const after = await read(session)
        expect(after.items[0]).toMatchObject({ id: before.items[0]!.id, text: 'firm words', final: true })
        expect(after.items[0]!.updatedAt).not.toBe(before.items[0]!.updatedAt)
        expect(after.items[1]).toEqual(before.items[1])
        expect(await upsert(session, segment(1, { text: 'firm words', confidence: 1 / 3 }))).toBe(0)
      })

      it('never replaces final words by words that are not, but by other final ones', async () => {
        const session = await live()
        await upsert(session, segment(1, { text: 'final' }))
        expect(await upsert(session, segment(1, { text: 'late draft', final: false }))).toBe(0)
        expect(texts(await read(session))).toEqual(['final'])
        expect(await upsert(session, segment(1, { text: 'corrected' }))).toBe(1)
        expect(texts(await read(session))).toEqual(['corrected'])
      })

      it('takes the last word on a segment that a batch names twice', async () => {
        const session = await live()
        const batch = [
          segment(1, { text: 'draft', final: false }),
          segment(1, { text: 'final' }),
          segment(1, { text: 'another draft', final: false }),
        ]
        expect(await upsert(session, ...batch)).toBe(1)
        expect(texts(await read(session))).toEqual(['final'])
      })

      it('takes 500 segments at once, and takes them again after a lost answer', async () => {
        const session = await live()
        server.clock.advance(500_000)
        const batch = Array.from({ length: 500 }, (_, n) => segment(n))
        expect(await upsert(session, ...batch)).toBe(500)
        expect(await upsert(session, ...batch)).toBe(0)
        expect(await upsert(session, ...batch.map((one) => ({ ...one, text: 'again' })))).toBe(500)
        expect((await read(session)).total).toBe(500)
      })

      it('keeps every change when agents of one session send at once', async () => {
        const session = await live()
        const counts = await Promise.all(
          Array.from({ length: 20 }, (_, n) => upsert(session, segment(n), segment(100, { text: `by ${n}` }))),
        )
        expect(counts.every((count) => count === 2)).toBe(true)
        const { total, cursor } = await read(session, { limit: 100 })
        expect(total).toBe(21)
        expect(Buffer.from(cursor, 'base64url').toString()).toBe(`40.${session.id}`)
      })

      it('leaves one audit row for each batch, without a word of it', async () => {
        const session = await live()
        await upsert(session, segment(1), segment(2))
        await upsert(session, segment(2))
        await upsert(session, segment(2, { text: 'secret words' }))
        expect(await audits(session)).toEqual([`${session.id}#1-2`, `${session.id}#none`, `${session.id}#3-3`])
        const payloads = await server.app.db.reader.all<{ payload: string }>(
          'SELECT payload FROM audit_payloads WHERE org_id = ?',
          [orgId],
        )
        expect(JSON.stringify(payloads)).not.toContain('words')
      })

      it('refuses without consent, with a lane that is off, and before the session is live', async () => {
        await expect(upsert(await live({ consent: false }), segment(1))).rejects.toMatchObject({ code: 'forbidden' })
        await expect(upsert(await live({ transcript: false }), segment(1))).rejects.toMatchObject({ code: 'forbidden' })
        const { data } = await api.call('sessions.create', { body: { config: { audio: { transcript: true } } } })
        const early = { id: data.id, agent: server.client(data.agentJoinToken), startedAt: 0 }
        await expect(upsert(early, segment(1))).rejects.toMatchObject({ code: 'forbidden' })
      })

      it('takes words spoken before the end after it, and refuses a batch with any spoken after', async () => {
        const session = await live()
        server.clock.advance(10_000)
        await api.call('sessions.end', { params: { id: session.id } })
        expect(await upsert(session, segment(9))).toBe(1)
        const late = upsert(session, segment(8), segment(10))
        await expect(late).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'segments.1.endMs' }] })
        expect((await read(session)).total).toBe(1)
        server.clock.advance(24 * 3_600_000)
        // The credential ends with the time for late deliveries.
        await expect(upsert(session, segment(7))).rejects.toMatchObject({ code: 'unauthorized' })
      })

      it('refuses what was spoken after the end, and while the session runs what lies in the future', async () => {
        const session = await live()
        const at = (ms: number) => segment(1, { startMs: ms, endMs: ms })
        const wrong = (message: string) => ({
          code: 'invalid_request',
          details: [{ path: 'segments.1.endMs', message }],
        })
        const future = wrong('spoken in the future: is the clock right?')
        await expect(upsert(session, segment(0), at(14_400_000))).rejects.toMatchObject(future)
        server.clock.advance(1000)
        expect(await upsert(session, at(server.clock.now() - session.startedAt + 300_000))).toBe(1)
        await api.call('sessions.end', { params: { id: session.id }, body: {} })
        const ended = server.clock.now() - session.startedAt
        const late = wrong('spoken after the session ended')
        await expect(upsert(session, segment(0), at(ended + 1))).rejects.toMatchObject(late)
        expect(await upsert(session, at(ended))).toBe(1)
      })

      it('refuses what not every database can hold, and stores half a surrogate pair as U+FFFD', async () => {
        const session = await live()
        const nul = upsert(session, segment(1), segment(2, { text: 'a\0b' }))
        await expect(nul).rejects.toMatchObject({ code: 'invalid_request' })
        expect(await upsert(session, segment(1, { text: 'half a pair \ud83d' }))).toBe(1)
        expect(await upsert(session, segment(1, { text: 'half a pair \ud83d' }))).toBe(0)
        expect(texts(await read(session))).toEqual(['half a pair \ufffd'])
      })

      it('takes words spoken before the policy switched the lane off, and none spoken after', async () => {
        const session = await live()
        server.clock.advance(10_000)
        await api.call('sessions.patch', { params: { id: session.id }, body: { audio: { transcript: false } } })
        expect(await upsert(session, segment(8))).toBe(1)
        await expect(upsert(session, segment(7), segment(10))).rejects.toMatchObject({ code: 'forbidden' })
        expect((await read(session)).total).toBe(1)
      })

      it.each([
        ['an end before the start', { endMs: 1 }, 'segments.0.endMs'],
        ['an unknown speaker', { speaker: 'robot' as 'unknown' }, 'segments.0.speaker'],
        ['a fraction of a millisecond', { startMs: 1.5 }, 'segments.0.startMs'],
        ['a confidence above 1', { confidence: 2 }, 'segments.0.confidence'],
      ])('refuses %s and names it', async (_what, wrong, path) => {
        const session = await live()
        const refused = upsert(session, segment(3, wrong))
        await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path }] })
      })

      it("refuses another session's agent", async () => {
        const [mine, theirs] = [await live(), await live()]
        const foreign = upsert({ ...theirs, agent: mine.agent }, segment(1))
        await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
      })
    })

    describe('sessions.transcript', () => {
      it('is empty for a session without words', async () => {
        const page = await read(await live())
        expect(page).toMatchObject({ items: [], total: 0, limit: 20, offset: 0, gaps: [] })
        expect(page.cursor).toMatch(/^[\w-]+$/)
      })

      it('is ordered by start, then sequence, whatever the order of arrival', async () => {
        const session = await live()
        await upsert(session, segment(5), segment(2, { sequence: 9 }))
        await upsert(session, segment(1), segment(3, { startMs: 2000, sequence: 4 }))
        expect(texts(await read(session))).toEqual(['words 1', 'words 3', 'words 2', 'words 5'])
      })

      it('pages stably and counts all', async () => {
        const session = await live()
        await upsert(session, ...Array.from({ length: 25 }, (_, n) => segment(24 - n, { startMs: 0, endMs: 10 })))
        const pages = [await read(session, { limit: 10 }), await read(session, { limit: 10, offset: 10 })]
        pages.push(await read(session, { limit: 10, offset: 20 }))
        expect(pages.flatMap(texts)).toEqual(Array.from({ length: 25 }, (_, n) => `words ${n}`))
        expect(pages.map((page) => page.total)).toEqual([25, 25, 25])
      })

      it('tells stretches of five seconds or more without words, and no shorter ones', async () => {
        const session = await live()
        const spans: [number, number, string?][] = [
          [2000, 3000],
          [7999, 20_000],
          // Spoken over a longer turn: nothing is missing after it.
          [9000, 10_000],
          [25_000, 26_000],
          // Nothing was said in it, so it does not end a gap.
          [27_000, 30_000, '  '],
          [40_000, 41_000],
        ]
        await upsert(session, ...spans.map(([startMs, endMs, text = 'x'], n) => segment(n, { startMs, endMs, text })))
        const gaps = [
          { fromMs: 20_000, toMs: 25_000 },
          { fromMs: 26_000, toMs: 40_000 },
        ]
        expect((await read(session)).gaps).toEqual(gaps)
        expect((await read(session, { limit: 1 })).gaps).toEqual(gaps)
        await upsert(session, segment(99, { startMs: 26_500, endMs: 36_000 }))
        expect((await read(session)).gaps).toEqual([gaps[0]])
      })

      it('answers with `since` only what changed after it, and a cursor to go on from', async () => {
        const session = await live()
        await upsert(session, segment(1), segment(2, { final: false }))
        const { cursor } = await read(session)
        expect(await read(session, { since: cursor })).toMatchObject({ items: [], total: 0, cursor })
        await upsert(session, segment(2, { text: 'firm' }), segment(0))
        const changes = await read(session, { since: cursor })
        expect(texts(changes)).toEqual(['words 0', 'firm'])
        expect(changes.total).toBe(2)
        expect(changes.cursor).not.toBe(cursor)
        expect(texts(await read(session, { since: changes.cursor }))).toEqual([])
      })

      it('loses nothing to a poller that reads first pages only, while words keep changing', async () => {
        const session = await live()
        const known = new Map<string, string>()
        let since: string | undefined
        const poll = async () => {
          const page = await read(session, { limit: 7, ...(since === undefined ? {} : { since }) })
          for (const item of page.items) known.set(item.segmentId, item.text)
          since = page.cursor
          return page
        }
        await upsert(session, ...Array.from({ length: 30 }, (_, n) => segment(29 - n)))
        await poll()
        for (let round = 0; round < 6; round++) {
          await upsert(session, segment(round * 4, { text: `changed ${round}` }), segment(100 + round))
          await poll()
        }
        while ((await poll()).items.length > 0);
        const all = await read(session, { limit: 100 })
        expect(Object.fromEntries(known)).toEqual(
          Object.fromEntries(all.items.map((item) => [item.segmentId, item.text])),
        )
      })

      it.each(['', 'x', 'AAAA', 'MQ', Buffer.from('-1.ses_1').toString('base64url'), '%00'])(
        'refuses %j as a cursor',
        async (since) => {
          const refused = read(await live(), { since })
          await expect(refused).rejects.toMatchObject({ code: 'invalid_request', details: [{ path: 'since' }] })
        },
      )

      it("refuses another session's cursor", async () => {
        const { cursor } = await read(await live())
        await expect(read(await live(), { since: cursor })).rejects.toMatchObject({ code: 'invalid_request' })
      })

      it('is not found for another organisation or the other environment', async () => {
        const session = await live()
        await upsert(session, segment(1))
        for (const key of [server.orgs[1].sandboxKey, server.orgs[0].liveKey]) {
          const foreign = server.client(key).call('sessions.transcript', { params: { id: session.id } })
          await expect(foreign).rejects.toMatchObject({ code: 'not_found' })
        }
      })
    })

    describe('portal.transcript', () => {
      it('shows every member the same', async () => {
        const session = await live()
        await upsert(session, segment(1), segment(9))
        const call = async (role: BuiltInRole) => {
          const headers = await portalCookie(server, role)
          return server.client().call('portal.transcript', { params: { id: session.id }, headers })
        }
        const known = await read(session)
        for (const role of builtInRoles) expect((await call(role)).data, role).toEqual(known)
      })
    })

    it('erasing takes every word of the session and no other', async () => {
      const [session, other] = [await live(), await live()]
      for (const one of [session, other]) await upsert(one, segment(1), segment(2))
      const foreign = { ...scope(), environment: 'live' as const }
      const erase = (of: Scope) =>
        server.app.db.transact((tx) =>
          transcriptsEraser().erase({ ...inTx(server.app, tx), scope: of }, session.id, Date.now()),
        )
      await erase(foreign)
      expect((await read(session)).total).toBe(2)
      await erase(scope())
      expect((await read(session)).total).toBe(0)
      expect((await read(other)).total).toBe(2)
    })
  })
