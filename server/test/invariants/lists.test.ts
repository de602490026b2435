import { type EndpointId, endpoints } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { casesInTurn, everyEngine } from '../test-support/engines.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { dataOf, failureOf, type RawAnswer, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { expectHouseRules } from './common.ts'

interface Page {
  readonly items: unknown[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

const pathsOf = (answer: RawAnswer) => [...new Set(failureOf(answer).error.details?.map((detail) => detail.path))]

const isList = (response: z.ZodType): boolean =>
  response instanceof z.ZodObject && 'items' in response.shape && 'total' in response.shape
/** Lists that hold one thing by their nature. */
const ofOne: ReadonlySet<string> = new Set(['sessions.compositions.list', 'portal.compositions.list'])
/** Lists that come whole unless a page is asked for: short by nature, and perhaps empty in the world. */
const short: ReadonlySet<string> = new Set([
  ...['portal.roles.list', 'portal.reviews.assignees', 'portal.ats.list', 'portal.chat.list', 'portal.recipients.list'],
])
const lists = endpoints.filter((endpoint) => isList(endpoint.response)).map((endpoint) => endpoint.id) as EndpointId[]

for (const engine of everyEngine())
  describe(`a list (${engine})`, () => {
    let server: TestServer
    let world: World

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
      // The first example adds the member who asks, the first request writes when they were last seen: both change the list of members.
      await send(server.url, specOf('portal.members.list'), await makeExample(world, 'portal.members.list'))
      await server.app.lastSeen.settled()
    })
    afterAll(() => server.stop())

    const ask = async (id: EndpointId, query: Record<string, string>) => {
      const example = await makeExample(world, id)
      const answer = await send(server.url, specOf(id), { ...example, query: { ...example.query, ...query } })
      expectHouseRules(specOf(id), answer)
      return answer
    }
    const page = async (id: EndpointId, query: Record<string, string>): Promise<Page> => {
      const answer = await ask(id, query)
      expect(answer.status, answer.text).toBe(200)
      return dataOf<Page>(answer)
    }

    it('is every endpoint that takes an offset', () => {
      const paged = endpoints.filter((endpoint) => 'query' in endpoint && 'offset' in endpoint.query.shape)
      expect(lists).toEqual(paged.map((endpoint) => endpoint.id))
      expect(lists.length).toBeGreaterThan(10)
    })

    for (const id of casesInTurn(engine, lists)) {
      it(`${id} pages stably: its pages together are the whole, whatever their size`, async () => {
        const whole = await page(id, { limit: '100' })
        expect(whole.total).toBe(whole.items.length)
        expect(whole.total, 'the world has too little to page').toBeGreaterThanOrEqual(
          short.has(id) ? 0 : ofOne.has(id) ? 1 : 3,
        )
        expect(new Set(whole.items.map((item) => JSON.stringify(item))).size).toBe(whole.total)
        for (const limit of [1, 2, whole.total, whole.total + 1]) {
          const items: unknown[] = []
          for (let offset = 0; offset < whole.total; offset += limit) {
            const part = await page(id, { limit: String(limit), offset: String(offset) })
            expect(part).toMatchObject({ total: whole.total, limit, offset })
            expect(part.items.length).toBe(Math.min(limit, whole.total - offset))
            items.push(...part.items)
          }
          expect(items).toEqual(whole.items)
        }
      })

      it(`${id} pages by cursor too: every row once, and none behind the last`, async () => {
        const whole = await page(id, { limit: '100' })
        expect(whole.nextCursor).toBe(null)
        for (const limit of [1, 2, Math.max(1, whole.total)]) {
          const items: unknown[] = []
          for (let cursor: string | null = ''; cursor !== null; ) {
            const query: Record<string, string> = { limit: String(limit), ...(cursor !== '' && { cursor }) }
            const part: Page = await page(id, query)
            expect(part).toMatchObject({ total: whole.total, limit, offset: items.length })
            items.push(...part.items)
            cursor = part.nextCursor
          }
          expect(items).toEqual(whole.items)
        }
      })

      it(`${id} refuses a cursor that is not its own, or beside an offset`, async () => {
        const { nextCursor } = await page(id, { limit: '1' })
        const forged = (values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
        const [check, , ...key] = JSON.parse(
          Buffer.from(nextCursor ?? forged(['']), 'base64url').toString(),
        ) as unknown[]
        const foreign = [
          'x',
          '!',
          forged([]),
          forged(['other', 1, ...key]),
          forged([check, -1, ...key]),
          forged([check, 1]),
          forged([check, 1, ...key.map(() => null)]),
          forged([check, 1, ...key.map(() => 1.5)]),
          forged([check, 1, ...key, 1]),
        ]
        for (const cursor of foreign) {
          const answer = await ask(id, { cursor })
          expect(answer.status, cursor).toBe(400)
          expect(pathsOf(answer)).toEqual(['cursor'])
        }
        if (nextCursor === null) return
        const both = await ask(id, { cursor: nextCursor, offset: '1' })
        expect(both.status).toBe(400)
        expect(pathsOf(both)).toEqual(['offset'])
      })

      it(`${id} takes 20 where no limit is named, and refuses one out of 1 to 100`, async () => {
        const all = await page(id, {})
        expect(all).toMatchObject({ limit: short.has(id) ? Math.max(1, all.total) : 20, offset: 0 })
        expect(await page(id, { limit: '1' })).toMatchObject({ limit: 1 })
        expect(await page(id, { limit: '100' })).toMatchObject({ limit: 100 })
        for (const limit of ['0', '101', '-1', '1.5', 'ten', '', 'NaN', '1e99']) {
          const answer = await ask(id, { limit })
          expect(answer.status, limit).toBe(400)
          expect(pathsOf(answer)).toEqual(['limit'])
        }
        for (const offset of ['-1', '1.5', 'x', '1000000001']) {
          const answer = await ask(id, { offset })
          expect(answer.status, offset).toBe(400)
          expect(pathsOf(answer)).toEqual(['offset'])
        }
      })

      it(`${id} beyond its end is empty and still knows the total`, async () => {
        const { total } = await page(id, {})
        for (const offset of [total, total + 1, 1_000_000_000])
          expect(await page(id, { offset: String(offset) })).toMatchObject({ items: [], total, offset })
      })
    }
  })
