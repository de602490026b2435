import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`the order of portal.sessions.list (${engine})`, () => {
    let server: TestServer

    const org = () => server.orgs[0]
    const list = async (query: object) => {
      const headers = await portalCookie(server, 'interviewer', org().orgId)
      return (await server.client().call('portal.sessions.list', { params: { orgId: org().orgId }, headers, query }))
        .data
    }
    const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)
    const pagedIds = async (query: object) => {
      const ids: string[] = []
      let cursor: string | null | undefined
      do {
        const page = await list({ ...query, limit: 1, ...(cursor ? { cursor } : {}) })
        ids.push(...idsOf(page))
        cursor = page.nextCursor
      } while (cursor && ids.length < 20)
      return ids
    }

    beforeAll(async () => {
      server = await startServer({ engine })
      const { liveKey, sandboxKey } = org()
      // Each minute has one of either environment: the same instant, and often the same position.
      for (const externalId of ['a', 'b', 'a']) {
        for (const key of [liveKey, sandboxKey])
          await server.client(key).call('sessions.create', { body: { externalId } })
        server.clock.advance(60_000)
      }
    })
    afterAll(() => server.stop())

    for (const filters of [{}, { sandbox: 'false' }, { sandbox: 'true' }, { state: 'scheduled' }, { externalId: 'a' }])
      it(`shows the oldest first, page by page, with ${JSON.stringify(filters)}`, async () => {
        const newest = idsOf(await list(filters))
        const oldest = await list({ ...filters, sort: 'oldest' })
        expect(newest.length).toBeGreaterThan(1)
        expect(oldest.total).toBe(newest.length)
        expect(idsOf(oldest)).toEqual(newest.toReversed())
        expect(await pagedIds({ ...filters, sort: 'oldest' })).toEqual(newest.toReversed())
        expect(await pagedIds({ ...filters, sort: 'newest' })).toEqual(newest)
        expect(idsOf(await list({ ...filters, sort: 'oldest', offset: 1 }))).toEqual(newest.toReversed().slice(1))
      })

    it('keeps to its period from the oldest on', async () => {
      const all = (await list({ sort: 'oldest' })).items
      const query = { from: all.at(1)?.createdAt, to: all.at(-1)?.createdAt }
      expect(await pagedIds({ ...query, sort: 'oldest' })).toEqual(all.slice(0, 4).map(({ id }) => id))
    })

    it('refuses a cursor of the other order', async () => {
      const { nextCursor } = await list({ limit: 1 })
      await expect(list({ limit: 1, sort: 'oldest', cursor: nextCursor })).rejects.toMatchObject({ status: 400 })
    })
  })
