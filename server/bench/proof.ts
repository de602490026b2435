import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@integrity/client/every-endpoint'
import sharp from 'sharp'
import { type Bound, bindingOf } from '../src/domains/evidence/evidence.binding.model.ts'
import { createKeyring } from '../src/platform/crypto/keyring.ts'
import {
  allCores,
  type Bench,
  type BenchServer,
  compared,
  cpuSeconds,
  type Figure,
  liveSession,
  memberCookie,
  noCeilings,
  residentMiB,
  seconds,
  startBenchServer,
} from './harness.ts'
import { sendRepeated } from './upload.ts'

const MiB = 2 ** 20
const films = 3
/** Of each film of the large session; three of them make five GiB. */
const filmMiB = Number(process.env['BENCH_FILM_MIB'] ?? 1708)
const stills = 500
const admin = join(import.meta.dirname, '../src/app/admin.ts')

const ended = async (server: BenchServer, mib: number): Promise<string> => {
  const session = await liveSession(server)
  for (let n = 0; n < films; n += 1) await sendRepeated(server, mib * MiB, session)
  const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
  await api.call('sessions.end', { params: { id: session.id } })
  return session.id
}

/** Fetches a bundle, or the end of one; bytes, seconds, and the most that the server had of memory meanwhile. */
const fetched = async (server: BenchServer, cookie: string, sessionId: string, range?: string) => {
  const peak = { resident: 0, heap: 0 }
  const look = async () => {
    peak.resident = Math.max(peak.resident, residentMiB(server.pid))
    peak.heap = Math.max(peak.heap, await server.heapMiB())
  }
  const timer = setInterval(() => void look(), 100)
  let bytes = 0
  const took = await seconds(async () => {
    const headers = { cookie, ...(range && { range }) }
    const answer = await fetch(`${server.url}/v1/sessions/${sessionId}/bundle`, { headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    for await (const piece of answer.body ?? []) bytes += piece.length
  })
  clearInterval(timer)
  await look()
  return { bytes, took, ...peak }
}

const bundles = async (server: BenchServer): Promise<Figure[]> => {
  const cookie = await memberCookie(server)
  const small = await fetched(server, cookie, await ended(server, 16))
  const id = await ended(server, filmMiB)
  const large = await fetched(server, cookie, id)
  const again = await fetched(server, cookie, id)
  const end = await fetched(server, cookie, id, `bytes=${large.bytes - MiB}-`)
  const both = (of: 'heap' | 'resident') =>
    `${Math.round(small[of])} and ${Math.round(Math.max(large[of], again[of]))} MiB`
  const size = `${(large.bytes / 2 ** 30).toFixed(2)} GiB`
  return [
    {
      name: `resident memory at most, a bundle of 48 MiB and one of ${size}, built and fetched`,
      value: both('resident'),
      goal: 'grows by < 64 MiB',
      met: Math.max(large.resident, again.resident) - small.resident < 64,
    },
    { name: 'heap in use at most, the same', value: both('heap') },
    { name: `built and fetched, ${size}`, value: `${Math.round(large.bytes / MiB / large.took)} MiB/s` },
    { name: 'fetched once it is built', value: `${Math.round(again.bytes / MiB / again.took)} MiB/s` },
    { name: 'its last MiB by range', value: `${Math.round(end.took * 1000)} ms` },
  ]
}

/** The same files read once with one SHA-256, one after the other. */
const bareRead = async (folder: string): Promise<number> => {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const hash = createHash('sha256')
    for await (const piece of createReadStream(join(entry.parentPath, entry.name), { highWaterMark: MiB })) {
      bytes += (piece as Buffer).length
      hash.update(piece as Buffer)
    }
    hash.digest()
  }
  return bytes
}

const verifying = async (server: BenchServer): Promise<Figure> => {
  let [bare, verified] = [0, 0]
  const bareTook = await seconds(async () => {
    bare = await bareRead(join(server.dataDir, 'objects', 'objects'))
  })
  const took = await seconds(async () => {
    const env = { ...process.env, DATA_DIR: server.dataDir }
    const { stdout } = await promisify(execFile)(process.execPath, [admin, 'evidence', 'verify', '--json'], { env })
    const sum = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { bytes: number; faults: number }
    if (sum.faults > 0) throw new Error(stdout)
    verified = sum.bytes
  })
  return compared(
    '`admin evidence verify`, against reading the same files once with one SHA-256',
    verified / MiB / took,
    bare / MiB / bareTook,
    'MiB/s',
  )
}

/** What the binding of one row takes, against all that the server does for a small still. */
const binding = async (server: BenchServer): Promise<Figure> => {
  const session = await liveSession(server)
  const agent = createClient({ baseUrl: server.url, token: session.token })
  const picture = () =>
    sharp(randomBytes(96 * 72 * 3), { raw: { width: 96, height: 72, channels: 3 } })
      .webp()
      .toBuffer()
  const bytes = await Promise.all(Array.from({ length: stills }, picture))
  const before = cpuSeconds(server.pid)
  for (const [n, still] of bytes.entries()) {
    const sha256 = createHash('sha256').update(still).digest('hex')
    const meta = { clientId: `bench-still-${n}`, capturedAt: new Date().toISOString(), sha256 }
    await agent.call('agent.screenshots.upload', {
      params: { id: session.id },
      raw: { bytes: still, contentType: 'image/webp', meta },
    })
  }
  const upload = ((cpuSeconds(server.pid) - before) / stills) * 1e6
  const keyring = createKeyring(randomBytes(32))
  const bound: Bound = {
    ...{ orgId: server.orgId, environment: 'sandbox' as const, id: 'evd_1', sessionId: session.id, sizeBytes: 20_000 },
    ...{
      evidenceType: 'screenshot',
      contentType: 'image/webp',
      capturedAt: 1,
      durationMs: null,
      sha256: 'a'.repeat(64),
    },
    ...{ header: 'h'.repeat(400), storeKey: 'k'.repeat(80) },
  }
  const times = 100_000
  const took = await seconds(() => {
    for (let n = 0; n < times; n += 1) bindingOf(keyring, { ...bound, capturedAt: n })
  })
  const microseconds = (took / times) * 1e6
  return {
    name: 'the MAC of a row, against the processor time of the server for a still of 96 × 72',
    value: `${microseconds.toFixed(1)} µs`,
    baseline: `${Math.round(upload)} µs`,
    ratio: microseconds / upload,
    goal: '≤ 0.02',
    met: microseconds / upload <= 0.02,
  }
}

export const proof: Bench = {
  name: 'Bundles, bindings and their check',
  what: 'Three films in a session, each one block again and again; its bundle is built at the first request and fetched by a member over HTTP. `admin evidence verify` in a process of its own beside the server.',
  async run() {
    const server = await startBenchServer(noCeilings, allCores)
    try {
      return [await binding(server), ...(await bundles(server)), await verifying(server)]
    } finally {
      await server.stop()
    }
  },
}
