import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Bench, benchFolder, compared, cpuSeconds, type Figure, forkPinned, median } from './harness.ts'

const rounds = 5
/** Receivers, each with an origin of its own; a dispatcher has 4 connections for each. */
const endpoints = 16
const connections = 4
const perEndpoint = 500

interface Count {
  received: number
  body: string
  /** Told of each request. */
  onArrival?: (body: string) => void
}

/** What a receiver is at its least: reads the request, counts it, answers 204, after a while where that is asked for. */
const startReceivers = async (
  count: Count,
  { of = endpoints, afterMs = 0 }: { of?: number; afterMs?: number } = {},
): Promise<{ urls: string[]; servers: Server[] }> => {
  const servers = Array.from({ length: of }, () =>
    createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      request.on('end', () => {
        count.received += 1
        count.body = body
        count.onArrival?.(body)
        if (afterMs === 0) response.writeHead(204).end()
        else setTimeout(() => response.writeHead(204).end(), afterMs)
      })
    }),
  )
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))))
  return { urls: servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), servers }
}

const ask = (child: ChildProcess, order: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const failed = (code: number | null) => reject(new Error(`ended with ${code}`))
    child.once('exit', failed)
    child.once('message', (answer: { value: number }) => {
      child.removeListener('exit', failed)
      resolve(answer.value)
    })
    child.send(order)
  })

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.disconnect()
  })

const closeAll = (servers: readonly Server[]): void => {
  for (const one of servers) one.close()
  for (const one of servers) one.closeAllConnections()
}

const compare = async (server: ChildProcess, baseline: ChildProcess): Promise<Figure[]> => {
  const count: Count = { received: 0, body: '' }
  const { urls, servers } = await startReceivers(count)
  const total = endpoints * perEndpoint
  const measured = async (work: () => Promise<number>): Promise<number> => {
    count.received = 0
    const took = await work()
    if (count.received !== total) throw new Error(`${count.received} of ${total} were received`)
    return total / took
  }
  const ours: number[] = []
  const bare: number[] = []
  const cpu = { ours: [] as number[], bare: [] as number[] }
  /** Of the sender's own processor time as well: a machine with other work to do delays commits more than posts. */
  const timed = async (child: ChildProcess, order: object, wall: number[], share: number[]): Promise<void> => {
    const before = cpuSeconds(child.pid as number)
    wall.push(await measured(() => ask(child, order)))
    share.push(total / (cpuSeconds(child.pid as number) - before))
  }
  try {
    await ask(server, { urls })
    // Warm, and the body that the baseline posts is the one that was delivered.
    await ask(server, { queue: 40 })
    await ask(server, { dispatch: true })
    const { body } = count
    await ask(baseline, { urls, connections, perUrl: 40, body })
    for (let round = 0; round < rounds; round++) {
      await timed(baseline, { urls, connections, perUrl: perEndpoint, body }, bare, cpu.bare)
      await ask(server, { queue: perEndpoint })
      await timed(server, { dispatch: true }, ours, cpu.ours)
    }
  } finally {
    closeAll(servers)
  }
  return [
    compared('deliveries a second against bare undici posts', median(ours), median(bare), '/s', { atLeast: 0.3 }),
    compared('the same, by the next goal', median(ours), median(bare), '/s', { atLeast: 0.6 }),
    {
      name: 'deliveries for each CPU second of the sender',
      value: `${Math.round(median(cpu.ours)).toLocaleString('en')} /cpu-s`,
      baseline: `${Math.round(median(cpu.bare)).toLocaleString('en')} /cpu-s`,
      ratio: median(cpu.ours) / median(cpu.bare),
    },
  ]
}

/** A server of its own for work with a single endpoint. */
const withOneEndpoint = async <T>(
  count: Count,
  afterMs: number,
  work: (server: ChildProcess) => Promise<T>,
): Promise<T> => {
  const dataDir = mkdtempSync(join(benchFolder(), 'bench-'))
  const { child } = await forkPinned('./webhooks-server.ts', { DATA_DIR: dataDir })
  const { urls, servers } = await startReceivers(count, { of: 1, afterMs })
  try {
    await ask(child, { urls })
    return await work(child)
  } finally {
    closeAll(servers)
    await end(child)
    rmSync(dataDir, { recursive: true })
  }
}

const paced = { perSecond: 200, seconds: 8 }
const goalLatencyMs = 25

/** From the event's own time, when it is published, until the receiver has the whole of its body. */
const latency = (): Promise<Figure> => {
  let took: number[] = []
  const onArrival = (body: string) =>
    void took.push(Date.now() - Date.parse((JSON.parse(body) as { createdAt: string }).createdAt))
  return withOneEndpoint({ received: 0, body: '', onArrival }, 0, async (server) => {
    await ask(server, { pace: { ...paced, seconds: 2 } })
    took = []
    await ask(server, { pace: paced })
    const p95 = took.sort((a, b) => a - b)[Math.floor(took.length * 0.95)] ?? Number.NaN
    return {
      name: `${paced.perSecond} events a second to one endpoint: p95 from event to receiver`,
      value: `${p95} ms`,
      goal: `≤ ${goalLatencyMs} ms`,
      met: p95 <= goalLatencyMs,
    }
  })
}

const slowMs = 100
const slowCount = 5000
/** Until then it is found out how much the receiver can take. */
const slowWarm = 1000
const goalSlow = 600

const slowReceiver = (): Promise<Figure> => {
  const at: number[] = []
  const onArrival = () => void at.push(performance.now())
  return withOneEndpoint({ received: 0, body: '', onArrival }, slowMs, async (server) => {
    await ask(server, { queue: slowCount })
    await ask(server, { dispatch: true })
    const rate = ((slowCount - slowWarm) * 1000) / ((at.at(-1) ?? Number.NaN) - (at[slowWarm - 1] ?? 0))
    return {
      name: `deliveries a second to one endpoint that takes ${slowMs} ms for each`,
      value: `${Math.round(rate)} /s`,
      goal: `≥ ${goalSlow} /s`,
      met: rate >= goalSlow,
    }
  })
}

export const webhooks: Bench = {
  name: 'Webhook deliveries on SQLite',
  what: `${endpoints} receivers on loopback, ${connections} connections to each. Ours: from a queue of ${endpoints * perEndpoint} deliveries to the last committed result, with claim, both signatures and log row; baseline: undici posting the same bodies over as many connections. The sender on one core, the receivers on the other; rounds interleaved. Beside it one endpoint: events published evenly while the dispatcher runs, and a queue for a receiver that takes its time.`,
  async run() {
    const dataDir = mkdtempSync(join(benchFolder(), 'bench-'))
    const { child: server } = await forkPinned('./webhooks-server.ts', { DATA_DIR: dataDir })
    const { child: baseline } = await forkPinned('./webhooks-posts.ts')
    try {
      return [...(await compare(server, baseline)), await latency(), await slowReceiver()]
    } finally {
      await Promise.all([end(server), end(baseline)])
      rmSync(dataDir, { recursive: true })
    }
  },
}
