// What one interview of 45 minutes costs the server, in packs and item by item.
import { randomUUID } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import Database from 'better-sqlite3'
import { agentGathersMs, capturedIn, packsOf, toldIn } from '../test/test-support/default-interview.ts'
import {
  allCores,
  type Bench,
  type BenchServer,
  cpuSeconds,
  type Figure,
  type LiveSession,
  liveSession,
  noCeilings,
  startBenchServer,
} from './harness.ts'
import {
  at,
  itemOf,
  type Pictures,
  picturesOf,
  sendAlone,
  sendTogether,
  sha256,
  smallPictures,
} from './interview-items.ts'

export { picture } from './interview-items.ts'

/** Events that come at once, and looks at the configuration each minute. */
const eventsTogether = 3
const pollsPerMinute = 1
const minutes = 45

export const sendStill = async (baseUrl: string, session: LiveSession, bytes: Buffer): Promise<void> => {
  const said = { clientId: randomUUID(), sha256: sha256(bytes), capturedAt: at(), contentType: 'image/webp' }
  await sendAlone(baseUrl, session, { head: { ...said, evidenceType: 'screenshot', displayId: 'd1' }, body: bytes })
}

const batch = (length: number) =>
  Array.from({ length }, () => ({
    clientId: randomUUID(),
    kind: 'foreground.changed' as const,
    observedAt: at(),
    source: 'foreground' as const,
    data: { observerVersion: '1', method: 'xprop', value: 'Application', baseline: 'Terminal' },
  }))

interface Way {
  /** How long an item or an event waits for others; 0: each goes by its own endpoint. */
  readonly gathersMs: number
  readonly pictures: Pictures
}

const sendCaptured = async (server: BenchServer, session: LiveSession, length: number, way: Way): Promise<number> => {
  const items = capturedIn(length)
  const packs = way.gathersMs === 0 ? items.map((item) => [item]) : packsOf(items, way.gathersMs)
  for (const pack of packs) {
    const made = pack.map(({ evidenceType }) => itemOf(evidenceType, way.pictures))
    if (way.gathersMs === 0) await sendAlone(server.url, session, made[0]!)
    else await sendTogether(server.url, session, made)
  }
  return packs.length
}

/** A whole interview as its agent sends it, as fast as the server takes it. Answers the requests that carried evidence. */
export const holdInterview = async (server: BenchServer, length: number, asked?: Way): Promise<number> => {
  const way = asked ?? { gathersMs: agentGathersMs, pictures: await smallPictures() }
  const session = await liveSession(server)
  const params = { id: session.id }
  const agent = createClient({ baseUrl: server.url, token: session.token })
  const requests = await sendCaptured(server, session, length, way)
  const told = toldIn(length)
  for (const { length: times } of way.gathersMs === 0 ? told.map((one) => [one]) : packsOf(told, way.gathersMs))
    await agent.call('agent.events.ingest', { params, body: { events: batch(times * eventsTogether) } })
  for (let n = 0; n < length * pollsPerMinute; n += 1) await agent.call('agent.sessions.config', { params })
  const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
  await api.call('sessions.end', { params })
  await api.call('sessions.report', { params })
  return requests
}

const tables = ['evidence', 'objects', 'audit_log', 'events'] as const

interface Counted {
  readonly cpu: number
  readonly requests: number
  readonly objects: number
  readonly bytes: number
  readonly rows: Readonly<Record<(typeof tables)[number], number>>
}

const objectsIn = (dataDir: string): number =>
  readdirSync(join(dataDir, 'objects', 'objects'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  ).length

const look = ({ dataDir, pid }: BenchServer): Omit<Counted, 'requests'> => {
  const file = join(dataDir, 'database.sqlite')
  const database = new Database(file)
  database.pragma('wal_checkpoint(TRUNCATE)')
  const count = (table: string) => (database.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n
  const rows = Object.fromEntries(tables.map((table) => [table, count(table)])) as Counted['rows']
  database.close()
  return { cpu: cpuSeconds(pid), objects: objectsIn(dataDir), bytes: statSync(file).size, rows }
}

const measure = async (server: BenchServer, way: Way): Promise<Counted> => {
  const before = look(server)
  const requests = await holdInterview(server, minutes, way)
  const after = look(server)
  const rows = Object.fromEntries(tables.map((table) => [table, after.rows[table] - before.rows[table]]))
  return {
    requests,
    cpu: after.cpu - before.cpu,
    objects: after.objects - before.objects,
    bytes: after.bytes - before.bytes,
    rows: rows as Counted['rows'],
  }
}

const figure = (
  name: string,
  [ours, before]: readonly [number, number],
  { unit = '', atMost }: { readonly unit?: string; readonly atMost?: number } = {},
): Figure => {
  const show = (n: number) => `${n >= 100 ? Math.round(n).toLocaleString('en') : Number(n.toFixed(2))}${unit}`
  const told = { name, value: show(ours), baseline: show(before), ratio: ours / before }
  return atMost === undefined ? told : { ...told, goal: `≤ ${atMost}${unit}`, met: ours <= atMost }
}

const run = async (): Promise<Figure[]> => {
  const server = await startBenchServer(noCeilings, allCores)
  try {
    const kilobytes = [40, 200] as const
    const pictures = new Map<number, Pictures>()
    for (const size of kilobytes) pictures.set(size, await picturesOf(size * 1000))
    const of = (size: number, gathersMs: number): Way => ({ gathersMs, pictures: pictures.get(size)! })
    // What is warmed once is warm, on both ways.
    for (const gathersMs of [0, agentGathersMs]) await holdInterview(server, 10, of(40, gathersMs))
    const figures: Figure[] = []
    for (const size of kilobytes) {
      const [alone, together] = [await measure(server, of(size, 0)), await measure(server, of(size, agentGathersMs))]
      const stills = `stills of ${Math.round(pictures.get(size)!.screen.length / 1000)} kB`
      const both = (part: (counted: Counted) => number) => [part(together), part(alone)] as const
      figures.push(
        figure(
          `processor of the server, SQLite with it, ${stills}`,
          both(({ cpu }) => cpu),
          { unit: ' s', atMost: 2 },
        ),
      )
      if (size !== kilobytes[0]) continue
      figures.push(
        figure(
          'rows left by it',
          both(({ bytes }) => bytes / 1e6),
          { unit: ' MB', atMost: 2 },
        ),
        figure(
          'objects put',
          both(({ objects }) => objects),
          { atMost: 70 },
        ),
        figure(
          'requests that carry evidence',
          both(({ requests }) => requests),
        ),
        figure(
          'rows of evidence',
          both(({ rows }) => rows.evidence),
        ),
        figure(
          'audit rows',
          both(({ rows }) => rows.audit_log),
          { atMost: 200 },
        ),
        figure(
          'published events',
          both(({ rows }) => rows.events),
          { atMost: 120 },
        ),
      )
    }
    return figures
  } finally {
    await server.stop()
  }
}

export const interview: Bench = {
  name: 'What one interview costs',
  what: 'An interview of 45 minutes by the defaults, stills of 1920 × 1080 with text, in packs as an agent sends them; before: item by item, by the same server. Neither is kept to a core.',
  form: 'before',
  run,
}
