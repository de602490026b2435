import { randomBytes } from 'node:crypto'
import type { LaneName, SessionConfig } from '@integrity/protocol'
import type { Clock } from '../../../shared/clock.ts'
import type { CoverageWindow } from '../../capture/coverage.ts'
import type { CapturedItem, HealthReport, LaneSink } from '../../capture/types.ts'
import type { QualityLevel } from '../../upload/bandwidth.ts'
import type { Capability, CapturePort, ObserverSink, ObserversPort } from '../ports.ts'

/** Lanes that deliver what a test hands them. */
export class ScriptedCapture implements CapturePort {
  /** What was asked for, in order: lanes as names, or a word. */
  readonly calls: string[] = []
  /** The policy of each `apply`. */
  readonly configs: SessionConfig[] = []
  readonly #clock: Clock
  windows: CoverageWindow[] = []
  running: readonly LaneName[] = []
  sink: LaneSink | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async apply(lanes: readonly LaneName[], config: SessionConfig, sink: LaneSink): Promise<void> {
    this.configs.push(config)
    this.running = lanes
    this.sink = sink
    this.calls.push(lanes.join(' '))
  }

  async pause(reason: 'paused' | 'break'): Promise<void> {
    this.calls.push(reason === 'break' ? 'break' : 'pause')
  }

  resume(): void {
    this.calls.push('resume')
  }

  async stop(): Promise<void> {
    this.running = []
    this.calls.push('stop')
  }

  async setQuality(level: QualityLevel): Promise<void> {
    this.calls.push(`quality ${level}`)
  }

  takeCoverage(): readonly CoverageWindow[] {
    return this.windows.splice(0)
  }

  health(): readonly HealthReport[] {
    return this.running.map((lane) => ({ lane: lane as HealthReport['lane'], state: 'up', since: 0 }))
  }

  /** One still of a display through the session's own sink. */
  async still(displayId = ':1.0', size = 1000): Promise<void> {
    if (!this.sink) throw new Error('no lane has been started')
    const item: CapturedItem = {
      kind: 'screenshot',
      lane: 'screen',
      capturedAt: this.#clock.wallMs(),
      monotonicMs: this.#clock.monotonicMs(),
      contentType: 'image/webp',
      bytes: randomBytes(size),
      displayId,
      meta: {},
    }
    await this.sink.item(item)
  }
}

/** One observer that can see, and one that cannot. */
export class ScriptedObservers implements ObserversPort {
  sink: ObserverSink | undefined

  async capabilities(): Promise<readonly Capability[]> {
    return [
      { observer: 'displays', status: 'observable' },
      { observer: 'screen_lock', status: 'not_observable', why: 'no session bus' },
    ]
  }

  async start(sink: ObserverSink): Promise<void> {
    this.sink = sink
  }

  async stop(): Promise<void> {
    this.sink = undefined
  }
}
