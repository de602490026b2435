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

const rounds = 3

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
  const sessions = await Promise.all(Array.from({ length: agents }, () => liveSession(server)))
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

/** One commit for each request is what a server without group commit would do with single events. */
const singles = async (server: BenchServer): Promise<Figure[]> => {
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < rounds; round++) {
    plain.push(400 / (await plainSqlite(makeBatches(400, 1))))
    ours.push(3200 / (await sendAll(server, makeBatches(3200, 1))).wall)
  }
  return [
    compared('single events: durable answers a second against one commit each', median(ours), median(plain), '/s', {
      atLeast: 3,
    }),
  ]
}

export const ingest: Bench = {
  name: 'Ingest of integrity events on SQLite',
  what: '16 agents over HTTP, authentication, validation, consent, audit row and synchronous=FULL all on. Neither side is kept to a core: the server writes with a thread of its own, and the agents, on connections that cost little, share the machine with both; the baseline has it to itself.',
  async run() {
    const server = await startBenchServer({}, allCores)
    try {
      return [
        ...(await compareSize(server, 50, 1200, 0.9)),
        ...(await compareSize(server, 10, 3000, 1.1)),
        ...(await singles(server)),
      ]
    } finally {
      await server.stop()
    }
  },
}
