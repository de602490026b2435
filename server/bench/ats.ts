import { createClient } from '@integrity/client/every-endpoint'
import pg from 'pg'
import { Pool } from 'undici'
import { stageNews } from '../test/test-support/ats.ts'
import { theirCredentials } from '../test/test-support/ats-systems.ts'
import { postgresBinaries, startPostgres } from '../test/test-support/postgres-server.ts'
import { type Bench, type BenchServer, type Figure, memberCookie, noCeilings, startBenchServer } from './harness.ts'

const events = 600
const warming = 100
const perSecond = 25
const goalMs = 15
const stage = { id: '71416', name: 'Technical interview' }

interface Connected {
  readonly id: string
  readonly inboundSecret: string
}

const connect = async (server: BenchServer): Promise<Connected> => {
  const { data } = await createClient({ baseUrl: server.url }).call('portal.ats.connect', {
    params: { orgId: server.orgId },
    headers: { cookie: await memberCookie(server) },
    body: {
      ...{ provider: 'greenhouse', label: 'Bench', credentials: theirCredentials.greenhouse },
      settings: { triggerStages: [stage.name], invite: false, push: [] },
    },
  })
  return data
}

/** Sends so many, spread evenly; milliseconds from when each was due to its answer. */
const send = async (server: BenchServer, { id, inboundSecret: secret }: Connected, from: number, count: number) => {
  const pool = new Pool(server.url, { connections: 16, pipelining: 1 })
  const took: number[] = []
  const begun = performance.now()
  const one = async (n: number, due: number): Promise<void> => {
    const person = {
      ...{ applicationId: String(n), candidateId: String(n), first: 'A', last: 'B', email: null },
      stage,
    }
    const { headers, payload } = stageNews.greenhouse(person, { secret, now: Date.now(), event: `bench-${n}` })
    const path = `/v1/integrations/ats/${server.orgId}/${id}`
    const answer = await pool.request({ method: 'POST', path, headers, body: payload })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(text)
    took.push(performance.now() - due)
  }
  const sent: Promise<void>[] = []
  for (let n = 0; n < count; n += 1) {
    const due = begun + (n * 1000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    sent.push(one(from + n, due))
  }
  await Promise.all(sent)
  await pool.close()
  return took.toSorted((a, b) => a - b)
}

const measure = async (on: string, env: Record<string, string>): Promise<Figure[]> => {
  const server = await startBenchServer({ ...noCeilings, ...env })
  try {
    const connected = await connect(server)
    await send(server, connected, 1, warming)
    const took = await send(server, connected, 1 + warming, events)
    const at = (share: number) => took[Math.ceil(took.length * share) - 1] ?? Number.NaN
    const p95 = at(0.95)
    return [
      { name: `${on}: p95`, value: `${p95.toFixed(1)} ms`, goal: `< ${goalMs} ms`, met: p95 < goalMs },
      { name: `${on}: median`, value: `${at(0.5).toFixed(1)} ms` },
    ]
  } finally {
    await server.stop()
  }
}

const onPostgres = async (): Promise<Figure[]> => {
  const binaries = postgresBinaries()
  if (!binaries) return [{ name: 'SKIPPED: no Postgres binaries for this platform', value: '' }]
  const postgres = await startPostgres(binaries, { fsync: true })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('CREATE DATABASE bench')
  await client.end()
  try {
    return await measure('Postgres', { DATABASE_URL: postgres.url.replace(/\/postgres$/, '/bench') })
  } finally {
    await postgres.stop()
  }
}

export const ats: Bench = {
  name: 'A message of an applicant tracking system',
  what: `${events} signed messages that somebody entered a stage, ${perSecond} a second, each of which becomes a session behind its answer: milliseconds from when it was due to the 200 that says it is durable. The server on one core; SQLite and Postgres both wait for the disk.`,
  run: async () => [...(await measure('SQLite', {})), ...(await onPostgres())],
}
