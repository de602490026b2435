// What an interview costs a server, and what large tables cost it, on one of the two databases:
// `node_modules/.bin/node server/bench/growth.ts --engine=postgres --events=10000000 --rows=1000000`. Takes minutes and
// gigabytes. What it prints is what scripts/growth/costs.ts holds and docs/scaling.md counts with.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import Database from 'better-sqlite3'
import { expireEvents } from '../src/kernel/expire-events.ts'
import type { MigratableDb } from '../src/platform/db/dialect.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import { type BenchServer, cpuSeconds, liveSession, median, noCeilings, seconds, startBenchServer } from './harness.ts'
import { holdInterview, picture, sendStill } from './interview.ts'
import { plantAudit, plantEvents, plantEvidence, plantSessions, type Wanted } from './plant.ts'

const option = (name: string, otherwise: string): string =>
  process.argv.map((arg) => new RegExp(`^--${name}=(\\w+)$`).exec(arg)?.[1]).find(Boolean) ?? otherwise
const engine = option('engine', 'sqlite')
const events = Number(option('events', '10000000'))
const rows = Number(option('rows', '1000000'))
const minutes = Number(option('minutes', '45'))
const looks = Number(option('looks', '100'))
/** For each table; what does not fit into it is left out, and the line says how many there are. */
const mostSeconds = Number(option('seconds', '600'))

const say = (name: string, value: string): void => console.log(`${name.padEnd(64)} ${value}`)
const round = (n: number): string => (n >= 100 ? Math.round(n).toLocaleString('en') : n.toPrecision(3))

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
  return children.reduce((sum, pid) => sum + cpuSeconds(Number(pid)), 0)
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
  const p95 = times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? Number.NaN
  say(name, `p50 ${round(median(times))} ms, p95 ${round(p95)} ms`)
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
  /** Of a sign-in before its organisation's chain was filled with rows that are none. */
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

/** Some of the oldest events leave the log by the job's own way, a page after the other. */
const sweep = async (db: MigratableDb, orgId: string): Promise<void> => {
  const of = [orgId]
  const sql = 'SELECT min(created_at) AS a, max(created_at) AS b, count(*) AS n FROM events WHERE org_id = ?'
  const { a, b, n } = (await db.reader.get<{ a: number; b: number; n: number }>(sql, of))!
  const before = a + ((b - a) * Math.min(n, 20_000)) / n
  const call = { db, reader: db.reader }
  const took = await seconds(() =>
    expireEvents(call, before, { neededFrom: async () => null, signal: new AbortController().signal }),
  )
  const left = (await db.reader.get<{ n: number }>('SELECT count(*) AS n FROM events WHERE org_id = ?', of))!.n
  say('events leave the log, a second', round((n - left) / took))
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

const native = postgresBinaries()
if (engine === 'postgres' && native === undefined) throw new Error('there are no Postgres binaries for this machine')
const postgres = engine === 'postgres' ? await startPostgres(native!) : undefined
const env = { ...noCeilings, BENCH_ORGS: '2', ...(postgres && { DATABASE_URL: postgres.url }) }
const server = await startBenchServer(env, '0-1')
const db = await openDb({ dataDir: server.dataDir, ...(postgres && { databaseUrl: postgres.url }) })
try {
  const before = { cpu: cpuSeconds(server.pid), base: databaseSeconds(), db: await sizeOf(db, server.dataDir) }
  await holdInterview(server, minutes)
  const bytes = (await sizeOf(db, server.dataDir)) - before.db
  say('an interview was held, of minutes', String(minutes))
  say('processor seconds of the server for each', round(cpuSeconds(server.pid) - before.cpu))
  say('processor seconds of the database for each', round(databaseSeconds() - before.base))
  const published = (await db.reader.get<{ n: number }>('SELECT count(*) AS n FROM events'))?.n ?? 0
  say('events published for each', round(published))
  say('bytes of the database for each', round(bytes))
  say('bytes of objects for each', round(objectsOf(server.dataDir)))
  const [first, second] = server.orgs as [BenchServer, BenchServer]
  const cookie = await ownerOf(server)
  await look(server, 'small', { sessionId: (await liveSession(server)).id, cookie })
  const sessions = Math.max(1, Math.round(rows / 100))
  const [like, orgId] = [first.orgId, second.orgId]
  const planting: [string, number, (wanted: Wanted) => Promise<number>][] = [
    ['session', sessions, (wanted) => plantSessions(db, like, wanted)],
    ['evidence row', rows, (wanted) => plantEvidence(db, like, wanted, sessions)],
    ['audit row', rows, (wanted) => plantAudit(db, orgId, wanted)],
    ['event', events, (wanted) => plantEvents(db, { like, orgId }, wanted)],
  ]
  for (const [name, count, plant] of planting) {
    const size = await sizeOf(db, server.dataDir)
    const began = performance.now()
    const done = await plant({ count, until: began + mostSeconds * 1000 })
    const took = (performance.now() - began) / 1000
    const each = ((await sizeOf(db, server.dataDir)) - size) / done
    say(`${done.toLocaleString('en')} × ${name} planted in ${round(took)} s: bytes for each`, round(each))
  }
  if (postgres) await db.transact((tx) => tx.run('ANALYZE'))
  await look(server, 'large', { sessionId: 'ses_plant3', cookie })
  await sweep(db, second.orgId)
  await dropPart(db)
} finally {
  await db.close()
  await server.stop()
  await postgres?.stop()
}
