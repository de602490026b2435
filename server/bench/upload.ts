import { execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { Pool } from 'undici'
import {
  allCores,
  type Bench,
  type BenchServer,
  benchFolder,
  compared,
  cpuSeconds,
  type Figure,
  forkPinned,
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
/** Parts under way at once, as our client library sends them. tus has every part wait for the offset of the one before. */
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
export const prepare = (size: number): Prepared => {
  const parts = makeParts(size)
  const whole = createHash('sha256')
  for (const part of parts) whole.update(part)
  return { parts, hashes: parts.map(sha256), total: whole.digest('hex'), size }
}

/** Highest resident memory of a process while something runs. */
export const watching = async <T>(pid: number, work: () => Promise<T>): Promise<{ result: T; peak: number }> => {
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

export const sendOurs = async (
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

/** In so many requests as it has parts, or in a single one, as its own client sends a file. */
const sendTus = async (url: string, upload: Prepared, whole = false): Promise<number> => {
  const pool = new Pool(url, { connections: 1, pipelining: 1 })
  const version = { 'tus-resumable': '1.0.0' }
  const took = await seconds(async () => {
    const created = await pool.request({
      method: 'POST',
      path: '/files',
      headers: { ...version, 'upload-length': String(upload.size) },
    })
    await check(created)
    const path = new URL(String(created.headers['location']), url).pathname
    const type = { ...version, 'content-type': 'application/offset+octet-stream' }
    const patch = async (offset: number, length: number, body: Buffer | Readable) => {
      const headers = { ...type, 'upload-offset': String(offset), 'content-length': String(length) }
      await check(await pool.request({ method: 'PATCH', path, headers, body }))
    }
    if (whole) return patch(0, upload.size, Readable.from(upload.parts, { objectMode: false }))
    let offset = 0
    for (const part of upload.parts) {
      await patch(offset, part.length, part)
      offset += part.length
    }
  })
  await pool.close()
  return took
}

/** Writes out what was written before: the disk would else be busy with it while the next one is measured. */
export const settleDisk = () => execFileSync('sync', ['-f', benchFolder()])

interface Speeds {
  readonly ours: number
  readonly inTurn: number
  readonly theirs: number
  /** Theirs, in one request. */
  readonly whole: number
}

/** MiB a second, medians of rounds that take turns; either server on these cores, on the first one unless told. */
const speeds = async (upload: Prepared, cores?: string): Promise<Speeds> => {
  const server = await startBenchServer(noCeilings, cores)
  const tus = await forkPinned<{ url: string; pid: number }>('./tus-server.ts', {}, cores)
  const took: Record<keyof Speeds, number[]> = { ours: [], inTurn: [], theirs: [], whole: [] }
  const sends: Record<keyof Speeds, () => Promise<number>> = {
    ours: () => sendOurs(server, upload),
    theirs: () => sendTus(tus.hello.url, upload),
    whole: () => sendTus(tus.hello.url, upload, true),
    inTurn: () => sendOurs(server, upload, 1),
  }
  for (let round = 0; round <= rounds; round++)
    for (const [name, send] of Object.entries(sends) as [keyof Speeds, () => Promise<number>][]) {
      settleDisk()
      const seconds = await send()
      if (round > 0) took[name].push(upload.size / MiB / seconds)
    }
  tus.child.disconnect()
  await server.stop()
  return {
    ours: median(took.ours),
    inTurn: median(took.inTurn),
    theirs: median(took.theirs),
    whole: median(took.whole),
  }
}

const speed = async (): Promise<Figure[]> => {
  const upload = prepare(256 * MiB)
  const free = await speeds(upload, allCores)
  const pinned = await speeds(upload)
  return [
    compared(
      '256 MiB in raw 4 MiB parts, hashed, sealed and synced, against @tus/server with its file store (none of the three)',
      free.ours,
      free.theirs,
      'MiB/s',
      { atLeast: 1.2 },
    ),
    compared('the same, tus in one PATCH, as its client sends a file', free.ours, free.whole, 'MiB/s', {
      atLeast: 1.2,
    }),
    compared('the same, by the next goal', free.ours, free.whole, 'MiB/s', { atLeast: 1 }),
    compared(
      'one part after the other, as tus sends them (the first goal, from which the rows above moved away)',
      free.inTurn,
      free.theirs,
      'MiB/s',
      { atLeast: 1.2 },
    ),
    compared('either server on one core', pinned.ours, pinned.theirs, 'MiB/s'),
    compared('either server on one core, one part after the other', pinned.inTurn, pinned.theirs, 'MiB/s'),
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
  what: 'One client over HTTP that has three parts under way, as our client library does; tus takes the parts of a file one after the other only. Memory: the server on one core. Speed: neither server is kept to a core, the client shares the machine with it; beside it our parts one after the other, and either server on one core. Before each run what the one before left in the page cache is written out.',
  async run() {
    const server = await startBenchServer(noCeilings)
    try {
      return [...(await memory(server)), await processorTime(server), ...(await speed()), ...(await ofMany())]
    } finally {
      await server.stop()
    }
  },
}
