import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countVisits } from '../test-support/counting-db.ts'
import { type FreshDatabase, freshDatabase } from '../test-support/databases.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { fillOrganisation } from '../test-support/fill.ts'
import { type FreeValues, filtersOf, freeValues, lists } from '../test-support/list-filters.ts'
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
 * Answered for the whole by what they say: where nothing is spoken in a transcript, what has changed behind its page,
 * what a sweep would delete, what a session's account is made of, who can be given a review (a choice that is shown whole), and
 * the total of an audit trail, of which 10,000 are counted at most.
 */
const ofTheWhole =
  /AS counted|OVER \(ORDER BY|min\(t\.change_seq\)|count\(\*\) AS n FROM transcript_segments|AS each_due|^SELECT source, evidence_type|AND \(m\.custom_role_id IS NOT NULL OR/

/** Notes stand where they point to, so a timeline reads all of a session's, which are 6,000 at most. */
const wholeOf: Readonly<Record<string, RegExp>> = { 'portal.timeline': /FROM notes n LEFT JOIN note_anchors/ }
/** One page of each kind that a timeline puts in order. */
const mostOf = (sql: string): number => (sql.includes(') AS places') ? 9 * limit : most)

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
  let free: FreeValues

  beforeAll(async () => {
    database = await freshDatabase('sqlite')
    counting = countVisits(database.open(), database.file)
    server = await startServer({ engine: 'sqlite', overrides: { db: counting.db } })
    world = await buildWorld(server)
    await makeExample(world, 'portal.auditLogs.list')
    await server.app.db.transact((tx) => fillOrganisation(tx, { ...world, sessionId: world.live.id }, sizes))
    free = await freeValues(server, world)
  })
  afterAll(async () => {
    await server.stop()
    await counting.close()
    await database.drop()
  })

  it.each(lists)('%s looks at no more rows than four pages hold', async (id) => {
    const example = await makeExample(world, id)
    let looked = 0
    for (const filters of filtersOf(id, free)) {
      let cursor: string | null = null
      for (const place of ['the beginning', 'a cursor']) {
        const query: Record<string, string> = { ...filters, limit: String(limit), ...(cursor !== null && { cursor }) }
        counting.take()
        const answer = await send(server.url, specOf(id), { ...example, query })
        expect(answer.status, answer.text).toBe(200)
        const reads = counting.take()
        looked += reads.length
        const long = reads.filter(
          ({ sql, visited }) => visited > mostOf(sql) && !ofTheWhole.test(sql) && !wholeOf[id]?.test(sql),
        )
        expect(long, `${JSON.stringify(filters)} from ${place}`).toEqual([])
        cursor = dataOf<Page>(answer).nextCursor
        if (cursor === null) break
      }
    }
    expect(looked).toBeGreaterThan(0)
  })

  it('says of every filter how many rows it matches', async () => {
    for (const id of lists) {
      const example = await makeExample(world, id)
      for (const filters of filtersOf(id, free)) {
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
