import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import {
  allCores,
  type Bench,
  type BenchServer,
  benchFolder,
  compared,
  cpuSeconds,
  type Figure,
  type LiveSession,
  liveSession,
  median,
  noCeilings,
  residentMiB,
  seconds,
  startBenchServer,
} from './harness.ts'

const MiB = 1024 * 1024
const partSize = 4 * MiB
const rounds = 5
/** Parts under way at once, as our client library sends them. */
const parallel = 3

/** Content that no store can shorten, with a container's first bytes so that it is a film. */
const makeParts = (size: number): Buffer[] => {
  const parts: Buffer[] = []
  for (let offset = 0; offset < size; offset += partSize) parts.push(randomBytes(Math.min(partSize, size - offset)))
  Buffer.from('1a45dfa39f4282847765626d', 'hex').copy(parts[0] as Buffer)
  return parts
}
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

interface Prepared {
  readonly parts: readonly Buffer[]
  readonly hashes: readonly string[]
  readonly total: string
  readonly size: number
}
const prepare = (size: number): Prepared => {
  const parts = makeParts(size)
  const whole = createHash('sha256')
  for (const part of parts) whole.update(part)
  return { parts, hashes: parts.map(sha256), total: whole.digest('hex'), size }
}

/** Highest resident memory of a process while something runs. */
const watching = async <T>(pid: number, work: () => Promise<T>): Promise<{ result: T; peak: number }> => {
  let peak = residentMiB(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB(pid))
  }, 20)
  const result = await work()
  clearInterval(timer)
  return { result, peak }
}

const check = async (answer: { statusCode: number; body: { text(): Promise<string> } }): Promise<string> => {
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${answer.statusCode} ${text}`)
  return text
}

const sendOurs = async (
  server: BenchServer,
  upload: Prepared,
  connections = parallel,
  into?: LiveSession,
): Promise<number> => {
  const session = into ?? (await liveSession(server))
  const pool = new Pool(server.url, { connections, pipelining: 1 })
  const headers = { authorization: `Bearer ${session.token}` }
  const took = await seconds(async () => {
    const begin = await pool.request({
      method: 'POST',
      path: `/v1/sessions/${session.id}/evidence`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        clientId: randomUUID(),
        evidenceType: 'screen_clip',
        sizeBytes: upload.size,
        sha256: upload.total,
        contentType: 'video/webm',
        capturedAt: new Date().toISOString(),
        partSize,
      }),
    })
    const { data } = JSON.parse(await check(begin)) as { data: { uploadId: string } }
    const waiting = [...upload.parts.entries()]
    const sendWaiting = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, body] = next
        const hash = upload.hashes[index] as string
        await check(
          await pool.request({
            method: 'POST',
            path: `/v1/uploads/${data.uploadId}/parts?index=${index}`,
            headers: { ...headers, 'content-type': 'application/octet-stream', 'x-service-part-sha256': hash },
            body,
          }),
        )
      }
    }
    await Promise.all(Array.from({ length: connections }, sendWaiting))
    await check(await pool.request({ method: 'POST', path: `/v1/uploads/${data.uploadId}/complete`, headers }))
  })
  await pool.close()
  return took
}

/** Writes out what was written before: the disk would else be busy with it while the next one is measured. */
const settleDisk = () => execFileSync('sync', ['-f', benchFolder()])

/** MiB a second, medians of rounds that take turns: parts side by side, and one after the other. */
const speeds = async (upload: Prepared, cores?: string) => {
  const server = await startBenchServer(noCeilings, cores)
  const took = { sideBySide: [] as number[], inTurn: [] as number[] }
  for (let round = 0; round <= rounds; round++)
    for (const name of ['sideBySide', 'inTurn'] as const) {
      settleDisk()
      const seconds = await sendOurs(server, upload, name === 'inTurn' ? 1 : parallel)
      if (round > 0) took[name].push(upload.size / MiB / seconds)
    }
  await server.stop()
  return { sideBySide: median(took.sideBySide), inTurn: median(took.inTurn) }
}

const speed = async (): Promise<Figure[]> => {
  const upload = prepare(256 * MiB)
  const free = await speeds(upload, allCores)
  const pinned = await speeds(upload)
  return [
    compared(
      '256 MiB in raw 4 MiB parts, hashed, sealed and synced: three at a time against one after the other',
      free.sideBySide,
      free.inTurn,
      'MiB/s',
    ),
    compared('the same, the server on one core', pinned.sideBySide, pinned.inTurn, 'MiB/s'),
  ]
}

const organisations = 16

/** MiB a second of as many uploads at once as there are organisations: each of one of its own, and all of one. */
const ofMany = async (): Promise<Figure[]> => {
  const server = await startBenchServer({ ...noCeilings, BENCH_ORGS: String(organisations) }, allCores)
  const upload = prepare(16 * MiB)
  const together = async (orgs: BenchServer['orgs']): Promise<number> => {
    const sessions = await Promise.all(orgs.map((org) => liveSession(server, org)))
    settleDisk()
    const took = await seconds(() => Promise.all(sessions.map((session) => sendOurs(server, upload, 1, session))))
    return (orgs.length * upload.size) / MiB / took
  }
  const took = { many: [] as number[], one: [] as number[] }
  for (let round = 0; round <= rounds; round++) {
    const [many, one] = [await together(server.orgs), await together(server.orgs.map(() => server))]
    if (round === 0) continue
    took.many.push(many)
    took.one.push(one)
  }
  await server.stop()
  const name = `${organisations} uploads of 16 MiB at once, each of an organisation of its own, against all of one`
  return [compared(name, median(took.many), median(took.one), 'MiB/s', { atLeast: 0.9 })]
}

const memory = async (server: BenchServer): Promise<Figure[]> => {
  const figures: Figure[] = []
  // What any first few hundred requests bring (V8's young generation, the thread that copies the log) has to do with no
  // object's size, so it is there before both.
  const before = prepare(16 * MiB)
  for (let n = 0; n < 32; n++) await sendOurs(server, before)
  const small = await watching(server.pid, () => sendOurs(server, prepare(16 * MiB)))
  // 2 GiB is the largest object the contract allows; the parts repeat one block, so the client needs no 2 GiB either.
  const large = await watching(server.pid, () => sendRepeated(server, 2048 * MiB))
  const grown = large.peak - small.peak
  figures.push({
    name: 'resident memory at most, 16 MiB and 2 GiB, on a server that has taken 32 small objects',
    value: `${Math.round(small.peak)} and ${Math.round(large.peak)} MiB`,
    goal: 'grows by < 64 MiB',
    met: grown < 64,
  })
  return figures
}

const goalCpuSeconds = 4

/** Processor time of the server for a GiB of new content, median of three; sent as our client library does. */
const processorTime = async (server: BenchServer): Promise<Figure> => {
  const upload = prepare(512 * MiB)
  const took: number[] = []
  for (let round = 0; round <= 3; round++) {
    settleDisk()
    const before = cpuSeconds(server.pid)
    await sendOurs(server, upload)
    if (round > 0) took.push((cpuSeconds(server.pid) - before) * 2)
  }
  const value = median(took)
  return {
    name: 'processor time of the server for a GiB, from 512 MiB',
    value: `${value.toFixed(2)} s`,
    goal: `≤ ${goalCpuSeconds} s`,
    met: value <= goalCpuSeconds,
  }
}

/** A film of one block again and again; seconds that it took. */
export const sendRepeated = async (server: BenchServer, size: number, into?: LiveSession): Promise<number> => {
  const block = makeParts(partSize)[0] as Buffer
  const count = size / partSize
  const hash = sha256(block)
  const whole = createHash('sha256')
  for (let n = 0; n < count; n++) whole.update(block)
  const parts = Array.from({ length: count }, () => block)
  return sendOurs(server, { parts, hashes: parts.map(() => hash), total: whole.digest('hex'), size }, parallel, into)
}

export const upload: Bench = {
  name: 'Chunked upload',
  what: 'One client over HTTP that has three parts under way, as our client library does. Memory: the server on one core. Speed: the server is not kept to a core, and the client shares the machine with it. Before each run what the one before left in the page cache is written out.',
  async run() {
    const server = await startBenchServer(noCeilings)
    try {
      return [...(await memory(server)), await processorTime(server), ...(await speed()), ...(await ofMany())]
    } finally {
      await server.stop()
    }
  },
}
