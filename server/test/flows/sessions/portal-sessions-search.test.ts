import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`searching portal.sessions.list (${engine})`, () => {
    let server: TestServer
    const ids: Record<string, string> = {}

    const list = async (query: object, n: 0 | 1 = 0) => {
      const { orgId } = server.orgs[n]!
      const headers = await portalCookie(server, 'interviewer', orgId)
      return (await server.client().call('portal.sessions.list', { params: { orgId }, headers, query })).data
    }
    const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)
    const pagedIds = async (query: object) => {
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null && found.length < 20; ) {
        const page = await list({ ...query, limit: 1, ...(cursor ? { cursor } : {}) })
        found.push(...idsOf(page))
        cursor = page.nextCursor
      }
      return found
    }

    beforeAll(async () => {
      server = await startServer({ engine })
      const make = async (name: string, key: string, body: object) => {
        ids[name] = (await server.client(key).call('sessions.create', { body })).data.id
        server.clock.advance(60_000)
      }
      const { liveKey, sandboxKey } = server.orgs[0]!
      await make('asha', liveKey, { candidateLabel: 'Asha Ｒao 🦊', externalId: 'REQ-2041/17' })
      await make('prem', sandboxKey, { candidateLabel: 'प्रेम शर्मा', externalId: "O'Neill 100%" })
      await make('ashok', liveKey, { candidateLabel: 'Ashok Rao', externalId: 'req_2042' })
      await make('long', liveKey, { candidateLabel: 'x'.repeat(200) })
      await make('other', server.orgs[1]!.liveKey, { candidateLabel: 'Asha Rao' })
    })
    afterAll(() => server.stop())

    const cases: readonly (readonly [q: string, ...names: string[]])[] = [
      ['ash', 'ashok', 'asha'],
      ['RAO ashok', 'ashok'],
      ['req 204', 'ashok', 'asha'],
      ['REQ-2041/17', 'asha'],
      ['प्रे', 'prem'],
      ["o'neill", 'prem'],
      ['100%', 'prem'],
      ['x'.repeat(180), 'long'],
      ['sha'],
      ['%'],
      ['_'],
      ["'; --"],
      ['🦊'],
      ['rao nobody'],
    ]
    it.each(cases)('finds by the beginnings of words: %s', async (q, ...names) => {
      const page = await list({ q })
      expect(idsOf(page)).toEqual(names.map((name) => ids[name]))
      expect(page).toMatchObject({ total: names.length, totalIsExact: true })
    })

    it('keeps its order and its pages', async () => {
      for (const more of [{}, { reviewState: 'none' }, { state: 'scheduled' }, { sandbox: 'false' }]) {
        expect(await pagedIds({ q: 'ra', ...more })).toEqual([ids['ashok'], ids['asha']])
        expect(await pagedIds({ q: 'ra', sort: 'oldest', ...more })).toEqual([ids['asha'], ids['ashok']])
      }
      const { nextCursor } = await list({ q: 'ra', limit: 1 })
      await expect(list({ q: 'as', limit: 1, cursor: nextCursor })).rejects.toMatchObject({ status: 400 })
    })

    it('refuses no words at all and too many', async () => {
      for (const q of ['', '   ', 'x'.repeat(201)]) await expect(list({ q })).rejects.toMatchObject({ status: 400 })
    })

    it('shows nothing of another tenant', async () => {
      expect(idsOf(await list({ q: 'asha' }, 1))).toEqual([ids['other']])
    })

    it('knows which have no review', async () => {
      expect((await list({ reviewState: 'none' })).total).toBe(4)
      expect((await list({ reviewState: 'open' })).total).toBe(0)
      expect((await list({ reviewState: 'open', state: 'live' })).total).toBe(0)
    })

    it('finds an erased session by its reference alone', async () => {
      const api = server.client(server.orgs[0]!.liveKey)
      await api.call('sessions.end', { params: { id: ids['asha']! } })
      await api.call('sessions.erase', { params: { id: ids['asha']! } })
      expect(idsOf(await list({ q: 'ash' }))).toEqual([ids['ashok']])
      expect(idsOf(await list({ q: '2041' }))).toEqual([ids['asha']])
      expect((await list({ reviewState: 'none', state: 'ended' })).total).toBe(1)
    })
  })
