import { openDb } from '../src/platform/db/open-db.ts'
import { fillOrganisation } from '../test/test-support/fill.ts'
import {
  type Bench,
  type BenchServer,
  compared,
  type Figure,
  liveSession,
  median,
  memberCookie,
  noCeilings,
  startBenchServer,
} from './harness.ts'

const reviews = 100_000
const looks = 30
const page = 100
const thousandth = 999

const fill = async (server: BenchServer, sessionId: string): Promise<void> => {
  const nothing = { events: 0, deliveries: 0, requests: 0, members: 0, invites: 0, audit: 0, ofSession: 1 }
  const scope = { orgId: server.orgId, environment: 'sandbox' }
  const db = await openDb({ dataDir: server.dataDir })
  await db.transact((tx) =>
    fillOrganisation(tx, { scope, sessionId, webhookId: 'whk_none' }, { ...nothing, sessions: reviews, reviews }),
  )
  await db.close()
}

/** Milliseconds of a page through HTTP, and where the next one begins. */
const look = async (server: BenchServer, cookie: string, query: Readonly<Record<string, string>>) => {
  const asked = new URLSearchParams({ limit: String(page), state: 'all', ...query }).toString()
  const started = performance.now()
  const answer = await fetch(`${server.url}/v1/orgs/${server.orgId}/reviews?${asked}`, { headers: { cookie } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${asked}: ${text}`)
  const { data } = JSON.parse(text) as { data: { items: unknown[]; total: number; nextCursor: string | null } }
  const ms = performance.now() - started
  if (data.items.length !== page || data.total < reviews) throw new Error(`${asked}: ${data.items.length} rows`)
  return { ms, next: data.nextCursor }
}

export const reviewQueue: Bench = {
  name: 'The queue of reviews',
  what: `The first and the thousandth page of ${page} of a queue of ${reviews.toLocaleString('en')} reviews, over HTTP on SQLite, by turns.`,
  async run() {
    const server = await startBenchServer(noCeilings)
    try {
      await fill(server, (await liveSession(server)).id)
      const cookie = await memberCookie(server)
      let cursor = ''
      for (let n = 0; n < thousandth; n++)
        cursor = (await look(server, cookie, cursor === '' ? {} : { cursor })).next ?? ''
      const places = { first: {}, cursor: { cursor }, offset: { offset: String(thousandth * page) } }
      const times: Record<keyof typeof places, number[]> = { first: [], cursor: [], offset: [] }
      for (let n = 0; n < looks; n++)
        for (const place of ['first', 'cursor', 'offset'] as const)
          times[place].push((await look(server, cookie, places[place])).ms)
      const against = (name: string, place: 'cursor' | 'offset'): Figure =>
        compared(name, median(times[place]), median(times.first), 'ms', { atMost: 1.5 })
      return [
        against('the thousandth page by its cursor, against the first', 'cursor'),
        against('the thousandth page by its offset, against the first', 'offset'),
      ]
    } finally {
      await server.stop()
    }
  },
}
