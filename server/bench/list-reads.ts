import { hash } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import pg from 'pg'
import { openDb } from '../src/platform/db/open-db.ts'
import { fillOrganisation } from '../test/test-support/fill.ts'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import {
  type Bench,
  type BenchServer,
  type Figure,
  liveSession,
  median,
  memberCookie,
  noCeilings,
  p95,
  startBenchServer,
} from './harness.ts'

const sizes = {
  events: 1_000_000,
  sessions: 100_000,
  deliveries: 300_000,
  requests: 20_000,
  members: 0,
  invites: 0,
  reviews: 100_000,
  audit: 300_000,
  ofSession: 12_000,
}
const looks = 60
/** Not counted: the first ones of a list compile what makes its rows, which is no cost of a page. */
const firstLooks = 30
const farOffset = 10_000

type Query = Readonly<Record<string, string>>
interface Read {
  readonly path: string
  readonly filters: readonly Query[]
  readonly headers: Readonly<Record<string, string>>
}

/** Every list that grows, by every filter and some of them together. */
const readsOf = async (server: BenchServer, sessionId: string, webhookId: string, keyId: string): Promise<Read[]> => {
  const key = { authorization: `Bearer ${server.sandboxKey}` }
  const member = { cookie: await memberCookie(server) }
  const [day, now] = [86_400_000, Date.now()]
  const from = new Date(now + 30 * day).toISOString()
  const to = new Date(now + 300 * day).toISOString()
  const types = 'session.started,session.ended,evidence.ready'
  const ofMember = (path: string, ...filters: Query[]): Read => ({ path, filters: [{}, ...filters], headers: member })
  const ofKey = (path: string, ...filters: Query[]): Read => ({ path, filters: [{}, ...filters], headers: key })
  const org = `/v1/orgs/${server.orgId}`
  const statuses: Query[] = [{ status: 'delivered' }, { eventType: 'session.ended' }]
  const logFilters = [...statuses, { status: 'delivered', eventType: 'session.ended' }, { status: 'retrying' }]
  return [
    ofKey('/v1/api/events', { types }, { sessionId }, { types, sessionId }, { types: 'session.ended' }),
    ofKey(
      '/v1/api/sessions',
      ...[{ state: 'ended' }, { from }, { to }, { from, to }, { provisionedBy: keyId }, { externalId: 'ext-77' }],
      ...[
        { state: 'ended', from, to },
        { state: 'ended', provisionedBy: keyId, from, to },
      ],
    ),
    ofKey(`/v1/api/webhooks/${webhookId}/deliveries`, ...logFilters),
    ofMember(`${org}/webhooks/${webhookId}/deliveries`, ...logFilters),
    ofMember(`${org}/webhooks`, { environment: 'sandbox' }),
    ofMember(`${org}/api-keys`, { environment: 'sandbox' }, { status: 'active' }),
    ofMember(`${org}/candidate-requests`, { status: 'all' }, { status: 'declined' }, { kind: 'access', status: 'all' }),
    ofMember(
      `${org}/audit-logs`,
      ...[{ action: 'session.events_received' }, { action: 'session.created' }, { sessionId }, { from }, { to }],
      ...[
        { sessionId, action: 'session.ended' },
        { sessionId, from, to },
        { action: 'session.created', from, to },
      ],
    ),
    ofMember(
      `${org}/reviews`,
      ...[
        { state: 'all' },
        { readiness: 'ready' },
        { assignee: 'none' },
        { assignee: 'mem_fill1' },
        { sort: 'newest' },
      ],
      { assignee: 'mem_fill1', state: 'completed', readiness: 'changed' },
    ),
    ofMember(`/v1/sessions/${sessionId}/notes`),
    ofMember(`/v1/sessions/${sessionId}/access-log`),
    ofKey(`/v1/api/sessions/${sessionId}/events`),
    ofKey(`/v1/api/sessions/${sessionId}/evidence`, { evidence_type: 'screenshot' }),
    ofKey(`/v1/api/sessions/${sessionId}/system-audio-chunks`),
    ofKey(`/v1/api/sessions/${sessionId}/transcript`),
    ofMember(`/v1/sessions/${sessionId}/timeline`, { kind: 'event' }, { kind: 'screenshot' }, { kind: 'speech' }),
    ofMember(`/v1/sessions/${sessionId}/screenshots`),
    ofMember(`/v1/sessions/${sessionId}/audio-chunks`),
  ]
}

/** Milliseconds of a page through HTTP, and where the next one begins. */
const look = async (server: BenchServer, { path, headers }: Read, query: Query) => {
  const url = `${server.url}${path}?${new URLSearchParams({ limit: '100', ...query }).toString()}`
  const started = performance.now()
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  const ms = performance.now() - started
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`)
  return { ms, next: (JSON.parse(text) as { data: { nextCursor: string | null } }).data.nextCursor }
}

const nameOf = (server: BenchServer, read: Read, sessionId: string, webhookId: string): string =>
  read.path.replace(server.orgId, '{orgId}').replace(sessionId, '{id}').replace(webhookId, '{id}')

/** A list at one place: the p95 of its slowest filter. */
interface Slowest {
  readonly name: string
  readonly place: string
  readonly ms: number
}

const measure = async (server: BenchServer, read: Read, name: string): Promise<Slowest[]> => {
  const slowest = new Map<string, number>()
  for (let n = 0; n < firstLooks; n++) await look(server, read, {})
  for (const filter of read.filters) {
    const times: Record<string, number[]> = { 'offset 0': [], 'by cursor': [], [`offset ${farOffset}`]: [] }
    for (let n = 0; n < looks; n++) {
      const first = await look(server, read, filter)
      times['offset 0']?.push(first.ms)
      if (first.next !== null)
        times['by cursor']?.push((await look(server, read, { ...filter, cursor: first.next })).ms)
      times[`offset ${farOffset}`]?.push((await look(server, read, { ...filter, offset: String(farOffset) })).ms)
    }
    for (const [place, all] of Object.entries(times)) {
      const ms = p95(all)
      if (all.length > 0) slowest.set(place, Math.max(ms, slowest.get(place) ?? 0))
    }
  }
  return [...slowest].map(([place, ms]) => ({ name, place, ms }))
}

/** Of each place the slowest list, and those besides that are above the goal. */
const summary = (all: readonly Slowest[], goalMs: number): Figure[] =>
  [...Map.groupBy(all, ({ place }) => place)].flatMap(([place, lists]) => {
    const [first, ...others] = lists.toSorted((a, b) => b.ms - a.ms)
    if (!first) return []
    const above = others.filter(({ ms }) => ms > goalMs)
    const figure: Figure = {
      name: `${place}: p95 of the slowest of ${lists.length} lists, ${first.name}`,
      value: `${first.ms.toFixed(1)} ms`,
      goal: `≤ ${goalMs} ms`,
      met: first.ms <= goalMs,
    }
    const named = above.map(({ name, ms }) => `${name} ${ms.toFixed(1)} ms`).join(', ')
    const value = `${above.length}${named && `: ${named}`}`
    return [figure, { name: `${place}: the other lists above the goal`, value }]
  })

const queuePage = 20

/** The thousandth page of the review queue against its first, each by what a caller has who turns page by page. */
const measureQueue = async (server: BenchServer, reads: readonly Read[], engine: string): Promise<Figure> => {
  const read = reads.find(({ path }) => path.endsWith('/reviews'))
  if (!read) throw new Error('the review queue is not among the lists')
  const page = { limit: String(queuePage) }
  const { next } = await look(server, read, { ...page, offset: String(998 * queuePage) })
  if (next === null) throw new Error('the review queue has no thousand pages')
  const [first, thousandth]: [number[], number[]] = [[], []]
  for (let n = 0; n < 10 * looks; n++) {
    first.push((await look(server, read, page)).ms)
    thousandth.push((await look(server, read, { ...page, cursor: next })).ms)
  }
  const ratio = median(thousandth) / median(first)
  return {
    name: `${engine} reviews queue of ${sizes.reviews} items: the thousandth page of ${queuePage} against the first, medians`,
    value: `${median(thousandth).toFixed(2)} ms`,
    baseline: `${median(first).toFixed(2)} ms`,
    ratio,
    goal: '≤ 1.5',
    met: ratio <= 1.5,
  }
}

const measureAll = async (env: Record<string, string>, engine: string, goalMs: number): Promise<Figure[]> => {
  const server = await startBenchServer({ ...noCeilings, ...env })
  try {
    const session = await liveSession(server)
    const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
    const body = { url: 'https://example.org/hook', eventTypes: ['session.ended'] as ['session.ended'] }
    const { data: webhook } = await api.call('webhooks.create', { body })
    const agent = createClient({ baseUrl: server.url, token: session.token })
    const bytes = Buffer.concat([Buffer.from('OggS'), Buffer.alloc(60, 7)])
    const { data: shown } = await api.call('sessions.get', { params: { id: session.id } })
    await agent.call('agent.audioChunks.upload', {
      params: { id: session.id },
      raw: {
        bytes,
        contentType: 'audio/ogg',
        meta: {
          clientId: 'bench-sound',
          contentType: 'audio/ogg',
          sha256: hash('sha256', bytes, 'hex'),
          startedAt: new Date().toISOString(),
          durationMs: 5000,
          sequence: 0,
          codec: 'opus',
        },
      },
    } as never)
    const db = await openDb({
      dataDir: server.dataDir,
      ...(env['DATABASE_URL'] && { databaseUrl: env['DATABASE_URL'] }),
    })
    const scope = { orgId: server.orgId, environment: 'sandbox' }
    await db.transact((tx) => fillOrganisation(tx, { scope, sessionId: session.id, webhookId: webhook.id }, sizes))
    await db.close()
    if (env['DATABASE_URL']) await analyse(env['DATABASE_URL'])
    const reads = await readsOf(server, session.id, webhook.id, shown.provisionedBy.id)
    const queue = await measureQueue(server, reads, engine)
    const all: Slowest[] = []
    for (const read of reads) all.push(...(await measure(server, read, nameOf(server, read, session.id, webhook.id))))
    return [queue, ...summary(all, goalMs)]
  } finally {
    await server.stop()
  }
}

/** What its own process does after a while. */
const analyse = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.end()
}

const what =
  'An organisation with 10⁶ events, 10⁵ sessions, 3·10⁵ deliveries, 10⁵ reviews and a session with 12,000 of everything: pages of 100 through HTTP at offset 0, by cursor and at offset 10,000, by every filter, after 30 looks at a list that are not counted; of each list its slowest filter counts.'

export const listReads: Bench = {
  name: 'Every list of a full database on SQLite',
  what,
  run: () => measureAll({}, 'SQLite', 10),
}

export const listReadsPostgres: Bench = {
  name: 'Every list of a full database on Postgres',
  what,
  async run(): Promise<Figure[]> {
    const binaries = postgresBinaries()
    if (!binaries) return [{ name: 'SKIPPED: no Postgres binaries for this platform', value: '' }]
    const postgres = await startPostgres(binaries)
    try {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      await client.query('CREATE DATABASE bench')
      await client.end()
      const url = postgres.url.replace(/\/postgres$/, '/bench')
      return await measureAll({ DATABASE_URL: url }, 'Postgres', 30)
    } finally {
      await postgres.stop()
    }
  },
}
