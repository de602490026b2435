import type { LaneName } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { HealthReport } from '../capture/types.ts'
import type { Spool } from '../spool/spool.ts'
import type { QualityLevel } from '../upload/bandwidth.ts'
import { absencesOf } from './absence.ts'
import { type CoverageTotal, CoverageTotals } from './coverage-totals.ts'
import type { CapturePort, LaneListener, ObserversPort } from './ports.ts'
import type { SessionEvents } from './session-events.ts'
import type { SessionEffect, SessionState } from './session-machine.types.ts'
import { createSpoolSink, type SpoolSink } from './spool-sink.ts'

export interface LaneRunnerOptions {
  readonly spool: Spool
  readonly clock: Clock
  readonly capture: CapturePort
  readonly observers: ObserversPort
  readonly events: SessionEvents
  readonly listener?: LaneListener | undefined
  /** After an item is durable. */
  readonly onStored: () => void
}

/** The lanes and observers of a session, as it starts, pauses and stops them, and the account of what they saw. */
export class LaneRunner {
  readonly #options: LaneRunnerOptions
  readonly #sink: SpoolSink
  readonly #coverage = new CoverageTotals()

  constructor(options: LaneRunnerOptions) {
    this.#options = options
    this.#sink = createSpoolSink(options)
  }

  health(): readonly HealthReport[] {
    return this.#options.capture.health()
  }

  coverage(): readonly CoverageTotal[] {
    return this.#coverage.list()
  }

  async run({ lanes, config }: Extract<SessionEffect, { type: 'run_lanes' }>): Promise<void> {
    const { capture, observers, events } = this.#options
    const recorded = lanes.filter((lane: LaneName) => lane !== 'signals')
    await capture.apply(recorded, config, this.#sink)
    if (!lanes.includes('signals')) return observers.stop()
    await observers.start(events.fromObservers, config)
  }

  async pause(): Promise<void> {
    await this.#options.capture.pause()
    await this.#options.observers.stop()
  }

  resume(): void {
    this.#options.capture.resume()
  }

  async stop(): Promise<void> {
    await this.#options.capture.stop()
    await this.#options.observers.stop()
    this.#sink.settle()
    this.noteCoverage()
    this.#options.events.note('agent.stopping', 'session', {})
  }

  /** A restarted agent was gone until now. */
  noteAbsence(state: SessionState, registeredAt: number | undefined): void {
    const { spool, clock, events } = this.#options
    for (const absence of absencesOf(state, spool.signs, registeredAt, clock.wallMs())) events.absence(absence)
  }

  noteCoverage(): void {
    for (const window of this.#options.capture.takeCoverage()) {
      this.#options.events.coverage(window)
      this.#coverage.add(window)
    }
  }

  setQuality(level: QualityLevel): Promise<void> {
    this.#options.events.note('quality.changed', 'uploader', { level })
    return this.#options.capture.setQuality(level)
  }
}
