import { createClient } from '@integrity/client/every-endpoint'
import { Pool } from 'undici'
import {
  type Bench,
  type BenchServer,
  compared,
  cpuSeconds,
  type Figure,
  forkPinned,
  median,
  noCeilings,
  seconds,
  startBenchServer,
} from './harness.ts'

/** Enough for the kernel's ticks of 10 ms to be less than a twentieth of what bare Koa takes. */
const requests = 16_000
const connections = 32
const rounds = 5

interface Target {
  readonly url: string
  readonly path: string
  readonly pid: number
  readonly headers: Record<string, string>
  /** Asked for in turn, in place of the one path. */
  readonly each?: readonly { readonly path: string; readonly headers: Record<string, string> }[]
}

interface Rates {
  readonly perCpu: number
  readonly perSecond: number
}

/** Requests for each CPU second of the server: the wall clock measures the neighbours too. */
const rate = async (target: Target): Promise<Rates> => {
  const pool = new Pool(target.url, { connections, pipelining: 1 })
  let left = requests
  const before = cpuSeconds(target.pid)
  const wall = await seconds(() =>
    Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) {
          const { path, headers } = target.each?.[left % target.each.length] ?? target
          const answer = await pool.request({ method: 'GET', path, headers })
          await answer.body.text()
          if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`)
        }
      }),
    ),
  )
  const cpu = cpuSeconds(target.pid) - before
  await pool.close()
  return { perCpu: requests / cpu, perSecond: requests / wall }
}

/**
 * Keeps this process's loop turning until the answer is called. A client that sleeps is woken by the server's write: 13 µs
 * of its processor time on a virtual machine, which only a server slower than the client pays.
 */
const stayAwake = (): (() => void) => {
  let awake = true
  const turn = () => {
    if (awake) setImmediate(turn)
  }
  turn()
  return () => {
    awake = false
  }
}

/** Medians of each target over rounds that take turns. */
const interleaved = async (targets: readonly Target[]) => {
  const results = targets.map(() => ({ perCpu: [] as number[], perSecond: [] as number[] }))
  for (let round = 0; round <= rounds; round++)
    for (const [index, target] of targets.entries()) {
      const result = await rate(target)
      if (round === 0) continue
      results[index]?.perCpu.push(result.perCpu)
      results[index]?.perSecond.push(result.perSecond)
    }
  return results.map((r) => ({ perCpu: median(r.perCpu), perSecond: median(r.perSecond) }))
}

const awake = async (targets: readonly Target[]) => {
  const rest = stayAwake()
  return interleaved(targets).finally(rest)
}

/** What Node and Koa write by themselves, and what differs between two answers of one server. */
const ownHeaders = ['connection', 'content-length', 'content-type', 'date', 'keep-alive']

/** Those that measure ask for no compression, which fetch does. */
const plainly = { 'accept-encoding': 'identity' }

interface Goal {
  readonly atLeast: number
}

interface Bare extends Target {
  stop(): void
}

interface Asked {
  readonly path: string
  readonly sent: Target['headers']
  readonly answer: Response
  readonly text: string
}

/** A bare Koa that gives this answer. Throws unless it names the same headers and gives the same body. */
const startBare = async ({ path, sent, answer, text }: Asked): Promise<Bare> => {
  const kept = [...answer.headers].filter(([name]) => !ownHeaders.includes(name))
  const env = { ANSWER: text, HEADERS: JSON.stringify(Object.fromEntries(kept)) }
  const { child, hello } = await forkPinned<{ url: string; pid: number }>('./bare-koa.ts', env)
  const given = await fetch(hello.url + path, { headers: { ...sent, ...plainly } })
  const names = (response: Response) => [...response.headers.keys()].join()
  if ((await given.text()) !== text || names(given) !== names(answer))
    throw new Error('bare Koa does not give the same answer')
  return { url: hello.url, path, pid: hello.pid, headers: sent, stop: () => child.disconnect() }
}

const organisations = 16

/** The session of each organisation, asked for with its own key. */
const oneOfEach = (server: BenchServer) =>
  Promise.all(
    server.orgs.map(async ({ sandboxKey: token }) => {
      const { data } = await createClient({ baseUrl: server.url, token }).call('sessions.create', { body: {} })
      return { path: `/v1/api/sessions/${data.id}`, headers: { authorization: `Bearer ${token}` } }
    }),
  )

export const getSession: Bench = {
  name: 'GET of one session with an API key',
  what: 'The whole pipeline (routing over all declared endpoints, key, scope, ceilings, query, answer check) against a bare Koa with one route that answers the same bytes: status line, the same headers, body. Runs interleaved, the client on the other core, where it polls without sleeping: waking it costs only the slower of two servers.',
  async run() {
    const server = await startBenchServer({ ...noCeilings, BENCH_ORGS: String(organisations) })
    const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
    const { data } = await api.call('sessions.create', { body: { externalId: 'bench' } })
    const headers = { authorization: `Bearer ${server.sandboxKey}` }
    const ours = { url: server.url, path: `/v1/api/sessions/${data.id}`, pid: server.pid, headers }
    const answer = await fetch(ours.url + ours.path, { headers: { ...headers, ...plainly } })
    const text = await answer.text()
    const bare = await startBare({ path: '/', sent: headers, answer, text })
    try {
      const goal: Goal = { atLeast: 0.5 }
      const byCpu = (name: string, us?: Rates, than?: Rates, atLeast?: Goal): Figure =>
        compared(name, us?.perCpu ?? 0, than?.perCpu ?? 1, '/cpu-s', atLeast)
      const [us, whole] = await awake([ours, bare])
      const [one, many] = await awake([ours, { ...ours, each: await oneOfEach(server) }])
      return [
        byCpu('requests for each server CPU second against bare Koa', us, whole, goal),
        compared('requests a second (wall) against bare Koa', us?.perSecond ?? 0, whole?.perSecond ?? 1, '/s', goal),
        byCpu(`${organisations} organisations in turn against one, for each CPU second`, many, one, { atLeast: 0.9 }),
      ]
    } finally {
      bare.stop()
      await server.stop()
    }
  },
}
