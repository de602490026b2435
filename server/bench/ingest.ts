import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import {
  allCores,
  type Bench,
  type BenchServer,
  compared,
  cpuSeconds,
  type Figure,
  liveSession,
  median,
  noCeilings,
  seconds,
  startBenchServer,
} from './harness.ts'
import { openLean, postRequest } from './lean-connection.ts'
import {
  agents,
  type Event,
  makeBatches,
  type PlainRow,
  plainColumns,
  plainIndex,
  plainRows,
  plainTable,
} from './plain-rows.ts'

const rounds = 9

/** The same rows into the same table and index, one transaction for each batch, one after the other. */
const plainSqlite = async (batches: readonly Event[][]): Promise<number> => {
  const folder = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'plain-'))
  const db = new Database(join(folder, 'plain.sqlite'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`${plainTable} WITHOUT ROWID`)
  db.exec(plainIndex)
  const insert = db.prepare(`INSERT INTO integrity_events VALUES (${plainColumns.map(() => '?').join(', ')})`)
  const insertBatch = db.transaction((rows: readonly PlainRow[]) => {
    for (const row of rows) insert.run(row)
  })
  const toRows = plainRows()
  const took = await seconds(() => {
    for (const [index, batch] of batches.entries()) insertBatch(toRows(batch, index % agents))
  })
  db.close()
  rmSync(folder, { recursive: true })
  return took
}

/** 16 agents, each sends its batches one after the other, as an uploader does. */
export const sendAll = async (
  server: BenchServer,
  batches: readonly Event[][],
): Promise<{ wall: number; cpu: number }> => {
  const sessions = await Promise.all(
    Array.from({ length: agents }, (_agent, n) => liveSession(server, server.orgs[n % server.orgs.length])),
  )
  const requests = sessions.map(({ id, token }, agent) =>
    batches
      .filter((_batch, index) => index % agents === agent)
      .map((events) => postRequest(server.url, `/v1/sessions/${id}/events`, token, JSON.stringify({ events }))),
  )
  const connections = await Promise.all(sessions.map(() => openLean(server.url)))
  const before = cpuSeconds(server.pid)
  const wall = await seconds(() =>
    Promise.all(
      connections.map(async (connection, agent) => {
        for (const request of requests[agent] ?? []) {
          const { status, text } = await connection.ask(request)
          if (status !== 200) throw new Error(text)
        }
      }),
    ),
  )
  const cpu = cpuSeconds(server.pid) - before
  for (const connection of connections) connection.close()
  return { wall, cpu }
}

const compareSize = async (server: BenchServer, size: number, count: number, atLeast: number): Promise<Figure[]> => {
  const rows = size * count
  const ours: number[] = []
  const plain: number[] = []
  const cpu: number[] = []
  await sendAll(server, makeBatches(agents * 4, size))
  for (let round = 0; round < rounds; round++) {
    const batches = makeBatches(count, size)
    plain.push(rows / (await plainSqlite(batches)))
    const run = await sendAll(server, makeBatches(count, size))
    ours.push(rows / run.wall)
    cpu.push(rows / run.cpu)
  }
  return [
    compared(
      `batches of ${size}: rows a second against plain sequential better-sqlite3`,
      median(ours),
      median(plain),
      'rows/s',
      { atLeast },
    ),
    {
      name: `batches of ${size}: rows for each CPU second of the server`,
      value: Math.round(median(cpu)).toLocaleString('en'),
    },
  ]
}

/** Single events, with commits shared, with one for each request, and as plain inserts with a commit for each. */
const singles = async (server: BenchServer, commitEach: BenchServer): Promise<Figure[]> => {
  const rate = async (on: BenchServer, count: number) => count / (await sendAll(on, makeBatches(count, 1))).wall
  const ours: number[] = []
  const each: number[] = []
  const plain: number[] = []
  await rate(commitEach, 3200)
  for (let round = 0; round < rounds; round++) {
    plain.push(1600 / (await plainSqlite(makeBatches(1600, 1))))
    ours.push(await rate(server, 3200))
    each.push(await rate(commitEach, 1600))
  }
  return [
    compared(
      'single events: durable answers a second against the same server with one commit for each request',
      median(ours),
      median(each),
      '/s',
      { atLeast: 3 },
    ),
    compared(
      'the same against plain sequential better-sqlite3, one commit each (the first goal, from which the row above moved away)',
      median(ours),
      median(plain),
      '/s',
      { atLeast: 3 },
    ),
  ]
}

/**
 * The same agents of sixteen organisations, one each, against all of one, between which nothing may be shared but the
 * commit; and against plain inserts, one transaction for each request.
 */
const organisations = async (one: BenchServer, many: BenchServer): Promise<Figure[]> => {
  const figures: Figure[] = []
  for (const [name, size, count, atLeast] of [
    ['single events', 1, 3200, 2],
    ['batches of 10', 10, 1600, 1.25],
    ['batches of 50', 50, 800, 1.1],
  ] as const) {
    const rates = { one: [] as number[], many: [] as number[], plain: [] as number[] }
    const sides = {
      one: async () => (await sendAll(one, makeBatches(count, size))).wall,
      many: async () => (await sendAll(many, makeBatches(count, size))).wall,
      plain: () => plainSqlite(makeBatches(count, size)),
    }
    for (let round = 0; round <= rounds; round++)
      for (const side of ['one', 'many', 'plain'] as const) {
        const wall = await sides[side]()
        if (round > 0) rates[side].push(count / wall)
      }
    const ours = median(rates.many)
    const label = `${name} of 16 organisations: requests a second against`
    figures.push(
      compared(`${label} one organisation`, ours, median(rates.one), '/s', { atLeast: 0.9 }),
      compared(`${label} plain sequential better-sqlite3, a commit each`, ours, median(rates.plain), '/s', { atLeast }),
    )
  }
  return figures
}

export const ingest: Bench = {
  name: 'Ingest of integrity events on SQLite',
  what: '16 agents over HTTP, authentication, validation, consent, audit row and synchronous=FULL all on. Neither side is kept to a core: the agents, on connections that cost little, share the machine with it; the baseline has it to itself.',
  async run() {
    const server = await startBenchServer(noCeilings, allCores)
    const commitEach = await startBenchServer({ ...noCeilings, BENCH_COMMIT_EACH: '1' }, allCores)
    const many = await startBenchServer({ ...noCeilings, BENCH_ORGS: '16' }, allCores)
    try {
      return [
        ...(await compareSize(server, 50, 1200, 0.9)),
        ...(await compareSize(server, 10, 3000, 1.1)),
        ...(await singles(server, commitEach)),
        ...(await organisations(server, many)),
      ]
    } finally {
      await Promise.all([server.stop(), commitEach.stop(), many.stop()])
    }
  },
}
