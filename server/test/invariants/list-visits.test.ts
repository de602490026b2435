import { type EndpointId, endpoints } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { countVisits } from '../test-support/counting-db.ts'
import { type FreshDatabase, freshDatabase } from '../test-support/databases.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { fillOrganisation } from '../test-support/fill.ts'
import { dataOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'

const limit = 100
const most = 4 * limit
const sizes = {
  events: 6_000,
  sessions: 2_000,
  deliveries: 4_000,
  requests: 2_000,
  members: 2_000,
  invites: 2_000,
  reviews: 2_000,
  audit: 6_000,
  ofSession: 1_000,
}

/**
 * Answered for the whole by what they say: where nothing is spoken in a transcript, what has changed behind its page, and
 * what a sweep would delete.
 */
const ofTheWhole = /OVER \(ORDER BY|min\(t\.change_seq\)|count\(\*\) AS n FROM transcript_segments|AS each_due/

const lists = endpoints.filter((endpoint) => 'query' in endpoint && 'offset' in endpoint.query.shape)
const shapeOf = (id: EndpointId): Readonly<Record<string, z.ZodType>> =>
  (lists.find((endpoint) => endpoint.id === id) as unknown as { query: z.ZodObject }).query.shape

const optionsOf = (schema: z.ZodType): readonly string[] => {
  let inner: unknown = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap()
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}

interface Page {
  readonly items: unknown[]
  readonly total: number
  readonly nextCursor: string | null
}

describe('a list of a full database', () => {
  let database: FreshDatabase
  let counting: ReturnType<typeof countVisits>
  let server: TestServer
  let world: World
  let free: Readonly<Record<string, readonly string[]>>

  beforeAll(async () => {
    database = await freshDatabase('sqlite')
    counting = countVisits(database.open(), database.file)
    server = await startServer({ engine: 'sqlite', overrides: { db: counting.db } })
    world = await buildWorld(server)
    await makeExample(world, 'portal.auditLogs.list')
    await server.app.db.transact((tx) => fillOrganisation(tx, { ...world, sessionId: world.live.id }, sizes))
    const api = server.client(world.key)
    const { data: one } = await api.call('sessions.get', { params: { id: world.live.id } })
    const later = (days: number) => new Date(Date.parse(one.createdAt) + days * 86_400_000 + 12_345).toISOString()
    const { data: transcript } = await api.call('sessions.transcript', { params: { id: world.live.id } })
    const [member = { id: '' }] = await server.app.db.reader.all<{ id: string }>(
      "SELECT max(actor_id) AS id FROM audit_log WHERE org_id = ? AND actor_kind = 'user' AND target LIKE 'target-%'",
      [world.scope.orgId],
    )
    free = {
      types: ['session.started', 'session.started,session.ended,evidence.ready'],
      eventType: ['session.ended', 'evidence.ready', 'no.such_event'],
      sessionId: [world.live.id],
      from: [later(1)],
      to: [later(5)],
      provisionedBy: [one.provisionedBy.id],
      externalId: ['ext-7'],
      since: [transcript.cursor],
      q: ['fill199'],
      action: ['session.events_received', 'session.created', 'no.such_action'],
      userId: [member.id],
      assignee: ['mem_fill1', 'none'],
      days: ['0', '3650'],
      minutes: ['1', '240'],
    }
  })
  afterAll(async () => {
    await server.stop()
    await counting.close()
    await database.drop()
  })

  /** Every filter by itself and every two together, and none. */
  const filtersOf = (id: EndpointId): Record<string, string>[] => {
    const named = Object.entries(shapeOf(id)).filter(([name]) => !['limit', 'offset', 'cursor'].includes(name))
    const single = named.flatMap(([name, schema]) => {
      const values = free[name] ?? optionsOf(schema)
      expect(values.length, `${id} has a filter ${name} that nobody tries`).toBeGreaterThan(0)
      return values.map((value) => ({ name, value }))
    })
    const pairs = single.flatMap((a, n) => single.slice(n + 1).flatMap((b) => (a.name === b.name ? [] : [[a, b]])))
    return [[], ...single.map((one) => [one]), ...pairs].map((filters) =>
      Object.fromEntries(filters.map(({ name, value }) => [name, value])),
    )
  }

  it.each(lists.map(({ id }) => id as EndpointId))('%s looks at no more rows than four pages hold', async (id) => {
    const example = await makeExample(world, id)
    let looked = 0
    for (const filters of filtersOf(id)) {
      let cursor: string | null = null
      for (const place of ['the beginning', 'a cursor']) {
        const query: Record<string, string> = { ...filters, limit: String(limit), ...(cursor !== null && { cursor }) }
        counting.take()
        const answer = await send(server.url, specOf(id), { ...example, query })
        expect(answer.status, answer.text).toBe(200)
        const reads = counting.take()
        looked += reads.length
        const long = reads.filter(({ sql, visited }) => visited > most && !ofTheWhole.test(sql))
        expect(long, `${JSON.stringify(filters)} from ${place}`).toEqual([])
        cursor = dataOf<Page>(answer).nextCursor
        if (cursor === null) break
      }
    }
    expect(looked).toBeGreaterThan(0)
  })

  it('says of every filter how many rows it matches', async () => {
    for (const id of lists.map((one) => one.id as EndpointId)) {
      const example = await makeExample(world, id)
      for (const filters of filtersOf(id)) {
        let found = 0
        let cursor: string | null = null
        let total = 0
        do {
          const query: Record<string, string> = { ...filters, limit: '100', ...(cursor !== null && { cursor }) }
          const answer: Page = dataOf<Page>(await send(server.url, specOf(id), { ...example, query }))
          found += answer.items.length
          ;({ total, nextCursor: cursor } = answer)
          // A few pages say enough where there are many.
        } while (cursor !== null && found < 500)
        if (cursor === null) expect(total, `${id} ${JSON.stringify(filters)}`).toBe(found)
        else expect(total, `${id} ${JSON.stringify(filters)}`).toBeGreaterThan(found)
      }
    }
  })
})
