import { randomBytes } from 'node:crypto'
import type { LaneName } from '@integrity/protocol'
import type { Clock } from '../../../shared/clock.ts'
import type { CoverageWindow } from '../../capture/coverage.ts'
import { createLane, type Lane } from '../../capture/lane.ts'
import {
  type CaptureConfig,
  type CapturedItem,
  type Driver,
  DriverError,
  type DriverSink,
  defaultCaptureConfig,
  type HealthReport,
  type LaneSink,
} from '../../capture/types.ts'
import type { CapturePort } from '../ports.ts'

type Content = Pick<CapturedItem, 'contentType' | 'bytes'>

export interface ScriptedLanesOptions {
  readonly clock: Clock
  /** 0 to below 1. */
  readonly random: () => number
  readonly pieceMs: number
  /** Of what is delivered; random bytes unless told. */
  readonly sound?: () => Content
  readonly picture?: () => Promise<Content>
  readonly onDelivered?: () => void
}

/** By the clock that drivers sleep by. */
const samplesEveryMs = 1000
const looksEveryMs = 5000
const randomContent = (contentType: string): Content => ({ contentType, bytes: randomBytes(200) })

/** Real lanes over drivers that begin late, fail now and then, and give pieces of sound and looks at two displays. */
export class ScriptedLanes implements CapturePort {
  readonly #options: ScriptedLanesOptions
  readonly #lanes = new Map<LaneName, Lane>()
  readonly #delivering = new Set<Promise<unknown>>()

  constructor(options: ScriptedLanesOptions) {
    this.#options = options
  }

  /** Resolves when what was delivered is durable. */
  async delivered(): Promise<void> {
    while (this.#delivering.size > 0) await Promise.all(this.#delivering)
  }

  async apply(lanes: readonly LaneName[], _config: unknown, sink: LaneSink): Promise<void> {
    for (const name of ['microphone', 'screen'] as const) {
      if (!lanes.includes(name) || this.#lanes.has(name)) continue
      const { clock, random } = this.#options
      const drivers = [this.#driver(name)]
      const lane = createLane({
        lane: name,
        drivers,
        sink: this.#watched(sink),
        config: defaultCaptureConfig,
        clock,
        random,
      })
      this.#lanes.set(name, lane)
      lane.start()
    }
  }

  async pause(reason: 'paused' | 'break'): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.pause(reason)))
  }

  resume(): void {
    for (const lane of this.#lanes.values()) lane.resume()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()))
  }

  async setQuality(): Promise<void> {
    // Nothing here has a quality.
  }

  takeCoverage(): readonly CoverageWindow[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.takeCoverage())
  }

  health(): readonly HealthReport[] {
    return [...this.#lanes.values()].map((lane) => lane.health())
  }

  #watched(sink: LaneSink): LaneSink {
    return {
      ...sink,
      item: (item) => {
        const work = sink.item(item)
        this.#delivering.add(work)
        return work.finally(() => {
          this.#delivering.delete(work)
          this.#options.onDelivered?.()
        })
      },
    }
  }

  #driver(name: 'microphone' | 'screen'): Driver {
    const record = name === 'microphone' ? this.#sound : this.#looks
    return {
      name: `scripted ${name}`,
      probe: async () => ({ ok: true }),
      start: async (sink, _config: CaptureConfig, signal) => {
        const { clock, random } = this.#options
        await clock.sleep(Math.round(random() * 3000), signal)
        if (!signal.aborted) await record(sink, signal, random() < 0.3 ? Math.round(random() * 40_000) : undefined)
      },
    }
  }

  /** Pieces that follow each other, the last one shorter. `failsAfterMs`: the device goes away then. */
  readonly #sound = async (sink: DriverSink, signal: AbortSignal, failsAfterMs?: number): Promise<void> => {
    const { clock, pieceMs, sound = () => randomContent('audio/ogg') } = this.#options
    const begun = clock.wallMs()
    let from = begun
    const deliver = (to: number): Promise<void> => {
      const [capturedAt, durationMs] = [from, to - from]
      from = to
      if (durationMs <= 0) return Promise.resolve()
      const rest = { monotonicMs: 0, meta: {}, ...sound() }
      return sink.item({ kind: 'audio_chunk', lane: 'microphone', capturedAt, durationMs, ...rest })
    }
    while (!signal.aborted && clock.wallMs() - begun < (failsAfterMs ?? Number.POSITIVE_INFINITY)) {
      await clock.sleep(samplesEveryMs, signal)
      if (clock.wallMs() > begun) sink.sample({ at: clock.wallMs() })
      if (clock.wallMs() - from >= pieceMs) await deliver(from + pieceMs)
    }
    await deliver(clock.wallMs())
    if (!signal.aborted) throw new DriverError('unplugged', 'the device is gone')
  }

  readonly #looks = async (sink: DriverSink, signal: AbortSignal, failsAfterMs?: number): Promise<void> => {
    const { clock, picture = async () => randomContent('image/webp') } = this.#options
    const begun = clock.wallMs()
    for (let n = 0; !signal.aborted; n += 1) {
      const at = clock.wallMs()
      if (at - begun >= (failsAfterMs ?? Number.POSITIVE_INFINITY)) throw new DriverError('driver_failed', 'no frame')
      sink.displays(['LEFT', 'RIGHT'])
      for (const displayId of ['LEFT', 'RIGHT']) {
        sink.sample({ at, displayId, varies: true })
        const rest = { lane: 'screen', displayId, capturedAt: at, monotonicMs: 0, meta: {} } as const
        if (n % 3 > 0) sink.unchanged(displayId, at)
        else await sink.item({ kind: 'screenshot', ...rest, ...(await picture()) })
      }
      await clock.sleep(looksEveryMs, signal)
    }
  }
}
