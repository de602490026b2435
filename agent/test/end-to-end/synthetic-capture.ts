import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { AgentEvidenceType, LaneName } from '@integrity/protocol'
import sharp from 'sharp'
import type { CoverageWindow } from '../../src/core/capture/coverage.ts'
import type { CapturedItem, HealthReport, LaneSink } from '../../src/core/capture/types.ts'
import type { Capability, CapturePort, ObserverSink, ObserversPort } from '../../src/core/session/ports.ts'

const MiB = 1024 ** 2

/** Random content behind the magic bytes that the server asks for. */
const withMagic = (size: number, ...marks: readonly (readonly [number, string])[]): Buffer => {
  const bytes = randomBytes(size)
  for (const [at, text] of marks) bytes.write(text, at, 'latin1')
  return bytes
}

export const wave = (): Buffer => withMagic(2000 + Math.floor(Math.random() * 60_000), [0, 'RIFF'], [8, 'WAVE'])
/** Just above the size of one part, so that it travels in two. */
const film = (): Buffer => withMagic(4 * MiB + 1 + Math.floor(Math.random() * 100_000), [4, 'ftyp'])
export const picture = (): Promise<Buffer> =>
  sharp(randomBytes(32 * 24 * 3), { raw: { width: 32, height: 24, channels: 3 } })
    .webp({ quality: 60 })
    .toBuffer()

type Made = Omit<CapturedItem, 'capturedAt' | 'monotonicMs'>

const makers: Readonly<Record<AgentEvidenceType, () => Promise<Made>>> = {
  screenshot: async () => ({
    kind: 'screenshot',
    lane: 'screen',
    contentType: 'image/webp',
    bytes: await picture(),
    displayId: ':9.0',
    small: await picture(),
    meta: { width: 32, height: 24 },
  }),
  camera_frame: async () => ({
    kind: 'camera_frame',
    lane: 'camera',
    contentType: 'image/webp',
    bytes: await picture(),
    meta: { width: 32, height: 24 },
  }),
  audio_chunk: async () => sound('audio_chunk', 'microphone'),
  system_audio_chunk: async () => sound('system_audio_chunk', 'system_audio'),
  screen_clip: async () => clip('screen_clip', 'screen'),
  camera_clip: async () => clip('camera_clip', 'camera'),
}

const sound = (kind: 'audio_chunk' | 'system_audio_chunk', lane: 'microphone' | 'system_audio'): Made => ({
  kind,
  lane,
  contentType: 'audio/wav',
  bytes: wave(),
  durationMs: 100,
  levels: randomBytes(1),
  meta: { codec: 'pcm' },
})
const clip = (kind: 'screen_clip' | 'camera_clip', lane: 'screen' | 'camera'): Made => ({
  kind,
  lane,
  contentType: 'video/mp4',
  bytes: film(),
  durationMs: 100,
  meta: {},
})

const small = ['screenshot', 'audio_chunk', 'system_audio_chunk', 'camera_frame'] as const

export interface SyntheticOptions {
  readonly everyMs: number
  /** One item in so many is a film. */
  readonly filmOdds: number
  /** Told the hash of bytes before they are handed over, and after they count as captured. */
  readonly onMade: (sha256: string) => void
  readonly onCaptured: () => void
}

/** A screen, sounds and a camera that deliver unlike bytes at a steady pace. */
export class SyntheticCapture implements CapturePort {
  readonly #options: SyntheticOptions
  #stopping = new AbortController()
  #running: Promise<void> | undefined
  #lanes: readonly LaneName[] = []

  constructor(options: SyntheticOptions) {
    this.#options = options
  }

  async apply(lanes: readonly LaneName[], _config: unknown, sink: LaneSink): Promise<void> {
    this.#lanes = lanes
    if (this.#running || lanes.length === 0) return
    this.#stopping = new AbortController()
    this.#running = this.#deliver(sink, this.#stopping.signal)
  }

  async #deliver(sink: LaneSink, signal: AbortSignal): Promise<void> {
    const { everyMs, filmOdds, onMade, onCaptured } = this.#options
    while (!signal.aborted) {
      const kind = Math.random() * filmOdds < 1 ? 'screen_clip' : small[Math.floor(Math.random() * small.length)]!
      const made = await makers[kind]()
      onMade(createHash('sha256').update(made.bytes).digest('hex'))
      await sink.item({ ...made, capturedAt: Date.now(), monotonicMs: performance.now() })
      onCaptured()
      await delay(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }

  pause(): Promise<void> {
    return this.stop()
  }

  resume(): void {
    // Nobody pauses here.
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    this.#running = undefined
  }

  async setQuality(): Promise<void> {
    // The bytes are made up; there is no quality to lower.
  }

  takeCoverage(): readonly CoverageWindow[] {
    return []
  }

  health(): readonly HealthReport[] {
    return this.#lanes.map((lane) => ({ lane: lane as HealthReport['lane'], state: 'up', since: 0 }))
  }
}

export interface SyntheticObserversOptions {
  readonly everyMs: number
  /** Told the mark of an observation once it is durable. */
  readonly onDurable: (mark: string) => void
}

/** An observer that sees something new all the time, each with a mark of its own. */
export class SyntheticObservers implements ObserversPort {
  readonly #options: SyntheticObserversOptions
  #timer: NodeJS.Timeout | undefined

  constructor(options: SyntheticObserversOptions) {
    this.#options = options
  }

  async capabilities(): Promise<readonly Capability[]> {
    return [{ observer: 'idle', status: 'observable' }]
  }

  async start(sink: ObserverSink): Promise<void> {
    const { everyMs, onDurable } = this.#options
    this.#timer ??= setInterval(() => {
      const mark = randomUUID()
      sink.emit({
        kind: 'vm.hint',
        observedAt: Date.now(),
        monotonicMs: performance.now(),
        source: 'virtual_machine',
        data: { observerVersion: 1, method: 'synthetic', value: { from: 'synthetic', value: mark } },
      })
      onDurable(mark)
    }, everyMs * 3)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
