// What OpenTelemetry costs: the same requests to a server without it and to one that records a twentieth of its traces.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import {
  type Bench,
  type BenchServer,
  type Figure,
  liveSession,
  median,
  noCeilings,
  startBenchServer,
} from './harness.ts'

const connections = 16
/** Many short rounds: what else the machine does in one of them is beside the median. */
const requests = 600
const rounds = 60
/** One request of so many writes. */
const writesEvery = 4

/** Takes what a service sends to its collector, and counts the requests. */
const startCollector = async (): Promise<{ readonly url: string; readonly server: Server; taken: number }> => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      collector.taken += 1
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const collector = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, taken: 0 }
  return collector
}

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** A look at a session, or an event of its agent. */
const asking = async (server: BenchServer): Promise<(n: number) => Asked> => {
  const session = await liveSession(server)
  const key = { authorization: `Bearer ${server.sandboxKey}` }
  const token = { authorization: `Bearer ${session.token}`, 'content-type': 'application/json' }
  const data = { observerVersion: '1', method: 'xprop', value: 'Application', baseline: 'Terminal' }
  const said = { kind: 'foreground.changed', source: 'foreground', data }
  return (n) => {
    if (n % writesEvery !== 0) return { method: 'GET', path: `/v1/api/sessions/${session.id}`, headers: key }
    const event = { ...said, clientId: randomUUID(), observedAt: new Date().toISOString() }
    const body = JSON.stringify({ events: [event] })
    return { method: 'POST', path: `/v1/sessions/${session.id}/events`, headers: token, body }
  }
}

/** Milliseconds on a processor so far, of all threads of a process: in nanoseconds, where `stat` counts ticks of 10 ms. */
const onProcessorMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6)
    .reduce((sum, one) => sum + one, 0)

/** Milliseconds of processor for a request. */
const measure = async (server: BenchServer, ask: (n: number) => Asked): Promise<number> => {
  const pool = new Pool(server.url, { connections, pipelining: 1 })
  let left = requests
  const before = onProcessorMs(server.pid)
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const answer = await pool.request(ask(left))
        await answer.body.dump()
        if (answer.statusCode >= 300) throw new Error(`a request was answered with ${answer.statusCode}`)
      }
    }),
  )
  await pool.close()
  return (onProcessorMs(server.pid) - before) / requests
}

const run = async (): Promise<Figure[]> => {
  const collector = await startCollector()
  const off = await startBenchServer(noCeilings)
  const on = await startBenchServer({
    ...noCeilings,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  })
  try {
    const pair = [
      { server: off, ask: await asking(off), took: [] as number[] },
      { server: on, ask: await asking(on), took: [] as number[] },
    ]
    // The first rounds warm both up. Who begins a round changes, so that neither has the other's garbage beside it more often.
    for (let round = -8; round < rounds; round += 1)
      for (const one of round % 2 === 0 ? pair : pair.toReversed()) {
        const took = await measure(one.server, one.ask)
        if (round >= 0) one.took.push(took)
      }
    if (collector.taken === 0) throw new Error('nothing was traced')
    const [without, traced] = pair.map(({ took }) => took) as [number[], number[]]
    const ratios = traced.map((took, round) => took / without[round]!).toSorted((a, b) => a - b)
    const ratio = median(ratios)
    const middle = [0.25, 0.5, 0.75].map((at) => ratios[Math.floor(rounds * at)]!.toFixed(3)).join(', ')
    const show = (took: readonly number[]) => `${median(took).toFixed(3)} ms`
    const name = `processor of the server for a request, one in ${writesEvery} a write, traced at 5 % against not at all (quartiles of the ratio: ${middle})`
    return [{ name, value: show(traced), baseline: show(without), ratio, goal: '≤ 1.02', met: ratio <= 1.02 }]
  } finally {
    await Promise.all([off.stop(), on.stop()])
    collector.server.close()
    collector.server.closeAllConnections()
  }
}

export const traces: Bench = {
  name: 'Traces',
  what: 'The same requests to a server without OpenTelemetry and to one that sends one trace in twenty to a collector: the median of the ratios of rounds that take turns. Both on the first core, one at a time; client and collector on the others.',
  run,
}
