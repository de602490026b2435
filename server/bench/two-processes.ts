import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@integrity/client/every-endpoint'
import pg from 'pg'
import { Pool } from 'undici'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import {
  allCores,
  type Bench,
  type BenchServer,
  benchFolder,
  compared,
  cpuSeconds,
  type Figure,
  median,
  noCeilings,
  startBenchServer,
} from './harness.ts'
import { sendAll } from './ingest.ts'
import { makeBatches } from './plain-rows.ts'

const rounds = 5
const reads = 4000
const connections = 16

/** Half of the load for each of two places, which may be the same. */
type Halves = readonly [BenchServer, BenchServer]

/** So many batches for each half, of sixteen agents each. */
const ingest = async (halves: Halves, size: number, count: number): Promise<number> => {
  await Promise.all(halves.map((server) => sendAll(server, makeBatches(count, size))))
  return 2 * count
}

/** Reads of one session with an API key. */
const read = async (halves: Halves): Promise<number> => {
  const [{ url, sandboxKey }] = halves
  const { data } = await createClient({ baseUrl: url, token: sandboxKey }).call('sessions.create', { body: {} })
  const request = {
    method: 'GET',
    path: `/v1/api/sessions/${data.id}`,
    headers: { authorization: `Bearer ${sandboxKey}` },
  } as const
  const half = async (server: BenchServer) => {
    const pool = new Pool(server.url, { connections, pipelining: 1 })
    let left = reads
    const one = async () => {
      while (left-- > 0) {
        const answer = await pool.request(request)
        await answer.body.dump()
        if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
      }
    }
    await Promise.all(Array.from({ length: connections }, one))
    await pool.close()
  }
  await Promise.all(halves.map(half))
  return 2 * reads
}

const loads: readonly { readonly name: string; readonly send: (halves: Halves) => Promise<number> }[] = [
  { name: 'a batch of ten events', send: (halves) => ingest(halves, 10, 1600) },
  { name: 'a single event', send: (halves) => ingest(halves, 1, 1600) },
  { name: 'GET of one session', send: read },
]

/** All of Postgres so far: its processes, and what those had used that have ended (fields 16 and 17 of proc_pid_stat(5)). */
const postgresSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ended = (Number(fields[13]) + Number(fields[14])) / 100
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + cpuSeconds(Number(child)), ended + cpuSeconds(pid))
}

const compare = async (one: Halves, two: Halves, postgres: number): Promise<Figure[]> => {
  const figures: Figure[] = []
  const pids = [...new Set([...one, ...two].map(({ pid }) => pid))]
  const used = () => postgresSeconds(postgres) + pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  for (const { name, send } of loads) {
    const micros = { one: [] as number[], two: [] as number[] }
    for (let round = 0; round <= rounds; round++)
      for (const [of, halves] of [
        ['one', one],
        ['two', two],
      ] as const) {
        const before = used()
        const requests = await send(halves)
        if (round > 0) micros[of].push(((used() - before) * 1e6) / requests)
      }
    const label = `${name}: processor time of servers and Postgres with two processes against one`
    figures.push(compared(label, median(micros.two), median(micros.one), 'µs', { atMost: 1.1 }))
  }
  return figures
}

export const twoProcesses: Bench = {
  name: 'Two processes against one on Postgres',
  what: 'The same requests to one process, and half of them to each of two on the same database and data folder: processor time of all servers and all of Postgres, for each request. Nothing is kept to a core; fsync is off. Rounds interleaved, the process that has nothing to do counted too.',
  async run(): Promise<Figure[]> {
    const binaries = postgresBinaries()
    if (!binaries) return [{ name: 'SKIPPED: no Postgres binaries for this platform', value: '' }]
    const postgres = await startPostgres(binaries)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query('CREATE DATABASE bench')
    await client.end()
    const folder = mkdtempSync(join(benchFolder(), 'bench-'))
    const env = { ...noCeilings, DATABASE_URL: postgres.url.replace(/\/postgres$/, '/bench'), DATA_DIR: folder }
    const first = await startBenchServer(env, allCores)
    const second = await startBenchServer({ ...env, BENCH_ORGS: '0' }, allCores)
    const other = { ...first, url: second.url, pid: second.pid }
    try {
      return await compare([first, first], [first, other], postgres.pid)
    } finally {
      await Promise.all([first.stop(), second.stop()])
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
