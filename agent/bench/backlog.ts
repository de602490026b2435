import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient } from '@integrity/client/every-endpoint'
import sharp from 'sharp'
import { type Bench, type BenchServer, type Figure, startBenchServer } from '../../server/bench/harness.ts'
import { createLane } from '../src/core/capture/lane.ts'
import { type CapturedItem, defaultCaptureConfig, type LaneSink } from '../src/core/capture/types.ts'
import { fileKeyStore } from '../src/core/spool/key-store.ts'
import { Spool } from '../src/core/spool/spool.ts'
import { Uploader } from '../src/core/upload/uploader.ts'
import { encodeOpus } from '../src/machine/ffmpeg/encode-opus.ts'
import { createScreenStillsDriver, nativeGrabber } from '../src/machine/screen/screen-stills.ts'
import { systemClock } from '../src/shared/clock.ts'
import { openStudio } from './studio.ts'

const outageSeconds = 2 * 3600
const screenEverySeconds = 10
const cameraEverySeconds = 15
/** Of the default policy at 24 kb/s. */
const soundSeconds = 10
const soundKbps = 24
const liveEveryMs = 1000
const goalSeconds = 60
/** That of the one before it and its own, where a large item is under way. */
const goalLiveMs = 2000
const givesUpSeconds = 1200

const stillsMeasured = 60
const goalStillMs = 400

const openSpool = (dir: string, onStored?: () => void): Promise<Spool> =>
  Spool.open({ dir, keyStore: fileKeyStore(dir), ...(onStored ? { onStored } : {}) })

/** A picture that looks like a desktop to an encoder: flat areas, edges and text-like noise. */
const picture = (width: number, height: number, seed: number): Promise<Buffer> => {
  const noise = randomBytes(Math.floor((width * height) / 8))
  const pixels = Buffer.alloc(width * height * 3, 40 + (seed % 160))
  for (let n = 0; n < noise.length; n += 1) pixels[(n * 24 + (n % 3)) % pixels.length] = noise[n] ?? 0
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .webp({ quality: 75, effort: 2 })
    .toBuffer()
}

/** Opus in WebM as the agent makes it, ended by an EBML Void of noise, so that no two are alike. */
const soundChunks = async (): Promise<() => Buffer> => {
  const sound = await encodeOpus(randomBytes(soundSeconds * 32_000), soundKbps)
  return () => Buffer.concat([sound, Buffer.from([0xec, 0xa0]), randomBytes(0x20)])
}

const fill = async (spool: Spool, startedAt: number): Promise<number> => {
  const screen = await picture(1920, 1080, 1)
  const camera = await picture(640, 480, 2)
  const soundChunk = await soundChunks()
  let items = 0
  const put = async (input: Omit<CapturedItem, 'monotonicMs' | 'meta'>, meta: CapturedItem['meta']): Promise<void> => {
    await spool.put({ ...input, monotonicMs: input.capturedAt - startedAt, meta })
    items += 1
  }
  for (let second = 0; second < outageSeconds; second += 5) {
    // All within the first seconds of the session: the service refuses what is from before it or from the future.
    const capturedAt = startedAt + second
    if (second % screenEverySeconds === 0) {
      const still = { kind: 'screenshot', lane: 'screen', displayId: ':0', contentType: 'image/webp' } as const
      await put({ ...still, capturedAt, bytes: screen }, { width: 1920, height: 1080 })
      for (const [kind, lane] of [
        ['audio_chunk', 'microphone'],
        ['system_audio_chunk', 'system_audio'],
      ] as const) {
        const chunk = { kind, lane, contentType: 'audio/webm', durationMs: soundSeconds * 1000, bytes: soundChunk() }
        await put({ ...chunk, capturedAt }, { codec: 'opus', sampleRate: 16_000, channels: 1 })
      }
    }
    if (second % cameraEverySeconds === 0) {
      const still = { kind: 'camera_frame', lane: 'camera', contentType: 'image/webp' } as const
      await put({ ...still, capturedAt, bytes: camera }, { width: 640, height: 480 })
    }
  }
  return items
}

/** A live session of the default policy, and the token that delivers to it. */
const openSession = async ({ url, sandboxKey }: BenchServer) => {
  const api = createClient({ baseUrl: url, token: sandboxKey })
  const { data: session } = await api.call('sessions.create', { body: { externalId: 'backlog' } })
  const client = createClient({ baseUrl: url, token: session.agentJoinToken })
  const { data } = await client.call('agent.sessions.config', { params: { id: session.id } })
  const { version, locale, hash, lanes } = data.consentDocument
  const consent = {
    version,
    locale,
    documentHash: hash,
    acceptedAt: new Date().toISOString(),
    lanes: Object.fromEntries(lanes.map(({ lane }) => [lane, true])),
  }
  await client.call('agent.sessions.register', { body: { consent } })
  return { client, sessionId: session.id }
}

const backlogFigures = async (server: BenchServer): Promise<Figure[]> => {
  const dir = await mkdtemp(join(tmpdir(), 'bench-backlog-'))
  const spool = await openSpool(dir)
  const { client, sessionId } = await openSession(server)
  const onTrouble = (trouble: string): void => void (process.env['BENCH_PROF'] && console.error(trouble))
  /** When each live still was captured, and how long each took until it was acknowledged. */
  const capturedAt = new Map<string, number>()
  const waits: number[] = []
  const call = async (...args: Parameters<typeof client.call>) => {
    const answer = await client.call(...args)
    const { raw } = args[1] as { raw?: { meta?: { clientId?: string } } }
    const { items = [] } = (answer.data ?? {}) as { items?: { clientId?: string | null }[] }
    for (const clientId of [raw?.meta?.clientId, ...items.map((item) => item.clientId)]) {
      const at = capturedAt.get(clientId ?? '')
      if (at !== undefined) waits.push(Date.now() - at)
    }
    return answer
  }
  const watched = { ...client, call: call as typeof client.call }
  const uploader = new Uploader({ spool, client: watched, sessionId, clock: systemClock, onTrouble })
  try {
    const items = await fill(spool, Date.now())
    const bytes = spool.remaining().bytes
    const live = await picture(320, 200, 3)
    let alive = true
    let lives = 0
    const capturing = (async () => {
      while (alive) {
        const still = { kind: 'screenshot', lane: 'screen', displayId: ':1', contentType: 'image/webp' } as const
        const now = Date.now()
        const meta = { width: 320, height: 200 }
        const { clientId } = await spool.put({ ...still, capturedAt: now, monotonicMs: 0, bytes: live, meta })
        capturedAt.set(clientId, now)
        lives += 1
        uploader.nudge()
        await delay(liveEveryMs)
      }
    })()
    const started = performance.now()
    uploader.start()
    // As while somebody looks on.
    uploader.atOnceFor(Number.POSITIVE_INFINITY)
    const over = () => (performance.now() - started) / 1000
    while (spool.remaining().items > 2 && over() < givesUpSeconds) await delay(100)
    const seconds = over()
    alive = false
    await capturing
    while (spool.remaining().items > 0 && over() < givesUpSeconds) await delay(100)
    const { refused, items: left } = spool.remaining()
    const missing = items + lives - uploader.status().sentItems
    return [
      {
        name: `${items} items of a two-hour outage (${(bytes / 1024 ** 2).toFixed(0)} MiB), sent on loopback`,
        value: `${seconds.toFixed(0)} s`,
        goal: `≤ ${goalSeconds} s`,
        met: seconds <= goalSeconds && left === 0,
      },
      {
        name: 'a live still on the way between them, until it is acknowledged, the longest',
        value: `${Math.max(...waits)} ms`,
        goal: `≤ ${goalLiveMs.toLocaleString('en')} ms`,
        met: Math.max(...waits) <= goalLiveMs && waits.length === lives,
      },
      {
        name: `items lost or refused on the way, ${lives} live ones among them`,
        value: String(missing + refused),
        goal: '0',
        met: missing + refused === 0,
      },
    ]
  } finally {
    await uploader.stop()
    await spool.close()
    await rm(dir, { recursive: true, force: true })
  }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** From the pixels of a 1920×1080 display to a sealed file that is safe on the disk. */
const stillFigures = async (): Promise<Figure[]> => {
  const studio = await openStudio(stillsMeasured * 2)
  const dir = await mkdtemp(join(tmpdir(), 'bench-stills-'))
  const spool = await openSpool(dir)
  const took: number[] = []
  const sink: LaneSink = {
    item: async (item) => {
      await spool.put({ ...item, meta: {} })
      took.push(Date.now() - item.capturedAt)
      return true
    },
    unchanged: () => undefined,
    gap: () => undefined,
    health: () => undefined,
  }
  const screen = { ...defaultCaptureConfig.screen, stillIntervalMs: 1000, keyframeIntervalMs: 1000 }
  const config = { ...defaultCaptureConfig, screen, env: studio.desktop.env }
  const before = process.env['DISPLAY']
  // The grabber of this process looks at the display of its environment.
  process.env['DISPLAY'] = studio.desktop.display
  const lane = createLane({ lane: 'screen', drivers: [createScreenStillsDriver(nativeGrabber)], sink, config })
  try {
    lane.start()
    const until = performance.now() + stillsMeasured * 3000
    while (took.length < stillsMeasured && performance.now() < until) await delay(200)
    const p95 = percentile(took, 0.95)
    return [
      {
        name: `a still of 1920×1080 from the screen to the spool, 95th percentile of ${took.length}`,
        value: `${p95.toFixed(0)} ms`,
        goal: `≤ ${goalStillMs} ms`,
        met: p95 <= goalStillMs,
      },
    ]
  } finally {
    await lane.stop()
    await spool.close()
    await studio.stop()
    await rm(dir, { recursive: true, force: true })
    if (before === undefined) delete process.env['DISPLAY']
    else process.env['DISPLAY'] = before
  }
}

export const backlog: Bench = {
  name: 'Spool and backlog',
  what: 'What an agent of the default policy captures in two hours without a network, sent when it is back, under the ceilings of a server as it is installed, while a live still comes each second; and how long a still takes until it is safe.',
  async run(): Promise<Figure[]> {
    const server = await startBenchServer()
    try {
      return [...(await backlogFigures(server)), ...(await stillFigures())]
    } finally {
      await server.stop()
    }
  },
}
