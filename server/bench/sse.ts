import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, compared, cpuSeconds, type Figure, forkPinned, median } from './harness.ts'
import type { PublishOrder } from './sse-paced.ts'

const clients = 1000
const rounds = 3
/** Events of a round without a pace, and of the paced one: 100 a second for 5 s. */
const burst = 200
const paced = { count: 500, everyMs: 10 }

interface Hello {
  readonly url: string
  readonly key: string
}
interface Crowd {
  /** Publishes and resolves when every client has every event; seconds. */
  run(child: ChildProcess, order: PublishOrder): Promise<number>
  /** Milliseconds from publication to each arrival since the last call. */
  latencies(): number[]
  close(): void
}

/** Each envelope has it once; an ISO time of 24 characters follows. */
const published = Buffer.from('"createdAt":"')

/** Raw sockets that count events by a field each of them has once, and read when it was published. */
const openCrowd = async ({ url, key }: Hello): Promise<Crowd> => {
  const { hostname, port, pathname } = new URL(url)
  const head = `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\nAccept: text/event-stream\r\n\r\n`
  let received = 0
  const latencies: number[] = []
  let onReceived: () => void = () => undefined
  const listenTo = (socket: Socket, opened: () => void): void => {
    let rest: Buffer = Buffer.alloc(0)
    let open = false
    socket.on('data', (chunk: Buffer) => {
      if (!open) {
        open = true
        opened()
      }
      const now = Date.now()
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let from = 0
      for (;;) {
        const at = bytes.indexOf(published, from)
        if (at < 0 || at + published.length + 24 > bytes.length) break
        from = at + published.length + 24
        received += 1
        // One in ten is enough for a percentile, and reading a time costs more than finding it.
        if (received % 10 === 0) latencies.push(now - Date.parse(bytes.toString('latin1', at + published.length, from)))
      }
      rest = bytes.subarray(Math.max(from, bytes.length - 60))
      onReceived()
    })
  }
  const sockets: Socket[] = []
  for (let n = 0; n < clients; n += 50)
    await Promise.all(
      Array.from(
        { length: 50 },
        () =>
          new Promise<void>((resolve, reject) => {
            const socket = connect(Number(port), hostname, () => socket.write(head))
            socket.once('error', reject)
            sockets.push(socket)
            listenTo(socket, resolve)
          }),
      ),
    )
  return {
    run: (child, order) =>
      new Promise((resolve) => {
        received = 0
        const begun = performance.now()
        onReceived = () => {
          if (received >= order.count * clients) resolve((performance.now() - begun) / 1000)
        }
        child.send(order)
      }),
    latencies: () => latencies.splice(0),
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const p99 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.disconnect()
  })

interface Side {
  readonly child: ChildProcess
  readonly crowd: Crowd
}

interface Rates {
  readonly perSecond: number
  readonly perCpu: number
}

const rate = async ({ child, crowd }: Side): Promise<Rates> => {
  const before = cpuSeconds(child.pid as number)
  const wall = await crowd.run(child, { count: burst, everyMs: 0 })
  const cpu = cpuSeconds(child.pid as number) - before
  return { perSecond: (burst * clients) / wall, perCpu: (burst * clients) / cpu }
}

/** Medians of each side over rounds that take turns. */
const interleaved = async (sides: readonly Side[]): Promise<Rates[]> => {
  const all = sides.map((): Rates[] => [])
  for (const { child, crowd } of sides) await crowd.run(child, { count: 20, everyMs: 0 })
  for (let round = 0; round < rounds; round++) for (const [n, side] of sides.entries()) all[n]?.push(await rate(side))
  return all.map((of) => ({
    perSecond: median(of.map(({ perSecond }) => perSecond)),
    perCpu: median(of.map(({ perCpu }) => perCpu)),
  }))
}

const measure = async (ours: Side, raw: Side): Promise<Figure[]> => {
  const [us, least] = await interleaved([ours, raw])
  const latency = async ({ child, crowd }: Side): Promise<number> => {
    crowd.latencies()
    await crowd.run(child, paced)
    return p99(crowd.latencies())
  }
  const ourLatency = await latency(ours)
  return [
    compared(
      'events × clients for each CPU second of the server against raw writes',
      us?.perCpu ?? 0,
      least?.perCpu ?? 1,
      '/cpu-s',
      { atLeast: 0.8 },
    ),
    {
      name: 'p99 from publication to arrival, 100 events a second',
      value: `${Math.round(ourLatency)} ms`,
      goal: '< 250 ms',
      met: ourLatency < 250,
    },
    {
      name: 'the same, by the next goal',
      value: `${Math.round(ourLatency)} ms`,
      goal: '≤ 50 ms',
      met: ourLatency <= 50,
    },
  ]
}

export const sse: Bench = {
  name: 'Event streams',
  what: `${clients} clients on raw sockets in one process, the server on the other core. Ours: ${burst} transactions that publish through the outbox, followed from its rows to every stream; raw: node:http that writes each envelope, made into bytes before, to every stream. Rounds interleaved.`,
  async run() {
    const dataDir = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'bench-'))
    const ours = await forkPinned<Hello>('./sse-server.ts', { DATA_DIR: dataDir })
    const raw = await forkPinned<Hello>('./sse-raw.ts')
    const sides: Side[] = []
    for (const { child, hello } of [ours, raw]) sides.push({ child, crowd: await openCrowd(hello) })
    const [us, least] = sides as [Side, Side]
    try {
      return await measure(us, least)
    } finally {
      for (const { crowd } of sides) crowd.close()
      await Promise.all(sides.map(({ child }) => end(child)))
      rmSync(dataDir, { recursive: true })
    }
  },
}
