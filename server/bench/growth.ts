// What an interview costs a server, and what large tables cost it, on one of the two databases:
// `BENCH_DIR=FOLDER TMPDIR=FOLDER node_modules/.bin/node server/bench/growth.ts --engine=postgres`. Takes half an hour and 40 GB.
// What it prints is what scripts/growth/costs.ts holds and docs/scaling.md counts with. Filling the tables may share the machine,
// what is measured may not: `--pause=1` waits for a line on its input before each of the two.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@integrity/client/every-endpoint'
import Database from 'better-sqlite3'
import pg from 'pg'
import { expireEvents } from '../src/kernel/expire-events.ts'
import type { MigratableDb } from '../src/platform/db/dialect.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import { lookAtLists } from './growth-lists.ts'
import {
  type BenchServer,
  cpuSeconds,
  liveSession,
  median,
  memberCookie,
  noCeilings,
  p95,
  seconds,
  startBenchServer,
} from './harness.ts'
import { holdInterview, picture, sendStill } from './interview.ts'
import {
  plantAudit,
  plantDeliveries,
  plantEvents,
  plantEvidence,
  plantObserved,
  plantSessions,
  type Wanted,
} from './plant.ts'

const option = (name: string, otherwise: string): string =>
  process.argv.map((arg) => new RegExp(`^--${name}=(\\w+)$`).exec(arg)?.[1]).find(Boolean) ?? otherwise
const engine = option('engine', 'sqlite')
const events = Number(option('events', '10000000'))
const rows = Number(option('rows', '1000000'))
const minutes = Number(option('minutes', '45'))
/** Their mean is what one costs; another one before them warms what is warmed once. */
const interviews = Number(option('interviews', '3'))
const looks = Number(option('looks', '100'))
/** For each table; what does not fit into it is left out, and the line says how many there are. */
const mostSeconds = Number(option('seconds', '3600'))
const pauses = option('pause', '0') === '1'

const say = (name: string, value: string): void => console.log(`${name.padEnd(64)} ${value}`)
const round = (n: number): string => (n >= 100 ? Math.round(n).toLocaleString('en') : n.toPrecision(3))

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const turn = async (before: string): Promise<void> => {
  if (!pauses) return
  console.log(`waiting for a line, before: ${before}`)
  await lines.next()
}

const sizeOf = async (db: MigratableDb, dataDir: string): Promise<number> => {
  if (engine === 'postgres')
    return (await db.reader.get<{ n: number }>('SELECT pg_database_size(current_database()) AS n'))?.n ?? 0
  const file = join(dataDir, 'database.sqlite')
  const beside = new Database(file)
  beside.pragma('wal_checkpoint(TRUNCATE)')
  beside.close()
  return statSync(file).size
}

/** CPU seconds of Postgres so far, of all its processes; on SQLite the server does that work itself. */
const databaseSeconds = (): number => {
  if (!postgres) return 0
  const parentOf = (pid: string): number => {
    const text = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ''
    return Number(text.split(') ')[1]?.split(' ')[1])
  }
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === postgres.pid)
  // Of those that have ended it keeps the sum.
  const ended = readFileSync(`/proc/${postgres.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return children.reduce((sum, pid) => sum + cpuSeconds(Number(pid)), (Number(ended[13]) + Number(ended[14])) / 100)
}
const objectsOf = (dataDir: string): number =>
  Number(
    execFileSync('du', ['-sb', join(dataDir, 'objects')])
      .toString()
      .split('\t')[0],
  )

/** p50 and p95 of so many runs one after the other, in milliseconds. */
const timed = async (name: string, work: (n: number) => Promise<unknown>): Promise<void> => {
  const times: number[] = []
  for (let n = 0; n < looks; n += 1) times.push((await seconds(() => work(n))) * 1000)
  say(name, `p50 ${round(median(times))} ms, p95 ${round(p95(times))} ms`)
}

/** Cookies of the owner of the second organisation, whose tables are the long ones. */
const ownerOf = async (server: BenchServer): Promise<string> => {
  const answer = await fetch(`${server.url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench-2@example.org', password: 'correct horse battery' }),
  })
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

const get = async (url: string, headers: Record<string, string>): Promise<void> => {
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`)
}

interface Looked {
  readonly sessionId: string
  readonly cookie: string
}

/** What is written and read all the time, at the size that the tables have now. */
const look = async (server: BenchServer, when: string, { sessionId, cookie }: Looked): Promise<void> => {
  const [first, second] = server.orgs as [BenchServer, BenchServer]
  const key = { authorization: `Bearer ${second.sandboxKey}` }
  const own = { authorization: `Bearer ${first.sandboxKey}` }
  const api = createClient({ baseUrl: server.url, token: first.sandboxKey })
  const session = await liveSession(server)
  const pictures = await Promise.all(Array.from({ length: looks }, picture))
  await timed(`${when}: a session is made`, () => api.call('sessions.create', { body: {} }))
  await timed(`${when}: a still is kept`, (n) => sendStill(server.url, session, pictures[n]!))
  await timed(`${when}: events, newest 100`, () => get(`${server.url}/v1/api/events?limit=100`, key))
  await timed(`${when}: events of one type`, () =>
    get(`${server.url}/v1/api/events?limit=100&types=session.ended`, key),
  )
  await timed(`${when}: evidence of one session`, () =>
    get(`${server.url}/v1/api/sessions/${sessionId}/evidence?limit=100`, own),
  )
  await timed(`${when}: the audit log, newest 100`, () =>
    get(`${server.url}/v1/orgs/${second.orgId}/audit-logs?limit=100`, { cookie }),
  )
}

interface Size {
  readonly bytes: number
  readonly rows: number
}

/** Of each table with its indexes. SQLite does not tell. */
const sizesOf = async (db: MigratableDb): Promise<Map<string, Size>> => {
  const sizes = new Map<string, Size>()
  if (engine !== 'postgres') return sizes
  const tables = await db.reader.all<{ name: string; bytes: number }>(
    `SELECT relname::text AS name, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
  )
  for (const { name, bytes } of tables) {
    const counted = await db.reader.get<{ rows: number }>(`SELECT count(*) AS "rows" FROM ${name}`)
    sizes.set(name, { bytes, rows: counted?.rows ?? 0 })
  }
  return sizes
}

const swept = 200_000

/** Some of the oldest events leave the log by the job's own way, a page after the other. */
const sweep = async (db: MigratableDb, orgId: string, dataDir: string): Promise<void> => {
  const of = [orgId]
  const sql = 'SELECT min(created_at) AS a, max(created_at) AS b, count(*) AS n FROM events WHERE org_id = ?'
  const { a, b, n } = (await db.reader.get<{ a: number; b: number; n: number }>(sql, of))!
  const before = a + ((b - a) * Math.min(n, swept)) / n
  const call = { db, reader: db.reader }
  const size = await sizeOf(db, dataDir)
  const took = await seconds(() =>
    expireEvents(call, before, { neededFrom: async () => null, signal: new AbortController().signal }),
  )
  const left = (await db.reader.get<{ n: number }>('SELECT count(*) AS n FROM events WHERE org_id = ?', of))!.n
  const rate = (n - left) / took
  say(`${(n - left).toLocaleString('en')} events leave the log, a second`, round(rate))
  say('a month of 10 million would take the job, minutes', round(1e7 / rate / 60))
  say('bytes that the files shrink by for each', round((size - (await sizeOf(db, dataDir))) / (n - left)))
}

/** A whole month goes at once, however full it is. */
const dropPart = async (db: MigratableDb): Promise<void> => {
  if (engine !== 'postgres') return
  const took = await seconds(() =>
    db.transact(async (tx) => {
      await tx.run('ALTER TABLE events DETACH PARTITION events_first')
      await tx.run('DROP TABLE events_first')
    }),
  )
  say('a part of events is dropped, with all its rows', `${round(took * 1000)} ms`)
}

/** What its own process does after a while. */
const vacuum = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('VACUUM ANALYZE')
  await client.end()
}

const native = postgresBinaries()
if (engine === 'postgres' && native === undefined) throw new Error('there are no Postgres binaries for this machine')
const postgres = engine === 'postgres' ? await startPostgres(native!) : undefined
const env = { ...noCeilings, BENCH_ORGS: '2', ...(postgres && { DATABASE_URL: postgres.url }) }
const server = await startBenchServer(env, '0-1')
const db = await openDb({ dataDir: server.dataDir, ...(postgres && { databaseUrl: postgres.url }) })
try {
  const [first, second] = server.orgs as [BenchServer, BenchServer]
  await turn('an interview is measured')
  await holdInterview(server, minutes)
  const before = { cpu: cpuSeconds(server.pid), base: databaseSeconds(), db: await sizeOf(db, server.dataDir) }
  const kept = { objects: objectsOf(server.dataDir), sizes: await sizesOf(db) }
  const countEvents = async () => (await db.reader.get<{ n: number }>('SELECT count(*) AS n FROM events'))?.n ?? 0
  const published = await countEvents()
  for (let n = 0; n < interviews; n += 1) await holdInterview(server, minutes)
  const bytes = (await sizeOf(db, server.dataDir)) - before.db
  const each = (sum: number): string => round(sum / interviews)
  say('interviews were held, of minutes', `${interviews}, of ${minutes}`)
  say('processor seconds of the server for each', each(cpuSeconds(server.pid) - before.cpu))
  say('processor seconds of the database for each', each(databaseSeconds() - before.base))
  say('events published for each', each((await countEvents()) - published))
  say('bytes of the database for each', each(bytes))
  for (const [name, size] of [...(await sizesOf(db))].toSorted(([, a], [, b]) => b.bytes - a.bytes)) {
    const grown = size.bytes - (kept.sizes.get(name)?.bytes ?? 0)
    if (grown > bytes / 100)
      say(`  of which ${name}, ${each(size.rows - (kept.sizes.get(name)?.rows ?? 0))} rows`, each(grown))
  }
  say('bytes of objects for each', each(objectsOf(server.dataDir) - kept.objects))
  const api = createClient({ baseUrl: server.url, token: second.sandboxKey })
  const hook = { url: 'https://example.org/hook', eventTypes: ['session.ended'] as ['session.ended'] }
  const webhookId = (await api.call('webhooks.create', { body: hook })).data.id
  await look(server, 'small', { sessionId: (await liveSession(server)).id, cookie: await ownerOf(server) })
  await turn('the tables are filled')
  // A tenth of the sessions have rows.
  const sessions = Math.max(2, Math.round(rows / 100))
  const [like, orgId] = [first.orgId, second.orgId]
  const planting: [string, number, (wanted: Wanted) => Promise<number>][] = [
    ['session with its review', sessions * 10, (wanted) => plantSessions(db, like, wanted)],
    ['evidence row', rows, (wanted) => plantEvidence(db, like, wanted, sessions)],
    ['observed event', rows, (wanted) => plantObserved(db, like, wanted, sessions)],
    ['audit row', rows, (wanted) => plantAudit(db, orgId, wanted)],
    ['delivery', rows, (wanted) => plantDeliveries(db, { orgId, webhookId }, wanted)],
    ['event', events, (wanted) => plantEvents(db, { like, orgId }, wanted)],
  ]
  for (const [name, count, plant] of planting) {
    const size = await sizeOf(db, server.dataDir)
    const began = performance.now()
    const done = await plant({ count, until: began + mostSeconds * 1000 })
    const took = (performance.now() - began) / 1000
    const of = ((await sizeOf(db, server.dataDir)) - size) / done
    say(`${done.toLocaleString('en')} × ${name} planted in ${round(took)} s: bytes for each`, round(of))
  }
  if (postgres) await vacuum(postgres.url)
  say('bytes of the whole database', round(await sizeOf(db, server.dataDir)))
  await turn('the large tables are measured')
  // A sign-in ends before the tables are full.
  const cookie = await ownerOf(server)
  await look(server, 'large', { sessionId: 'ses_plant3', cookie })
  const cookies = { second: cookie, first: await memberCookie(server) }
  await lookAtLists({ server, cookies, webhookId, sessionId: 'ses_plant1', auditRows: rows }, looks)
  await sweep(db, second.orgId, server.dataDir)
  await dropPart(db)
} finally {
  await lines.return?.()
  await db.close()
  await server.stop()
  await postgres?.stop()
}
