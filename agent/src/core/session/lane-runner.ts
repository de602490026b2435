import { isRecordedLane, type LaneName } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import type { HealthReport } from '../capture/types.ts'
import type { Spool } from '../spool/spool.ts'
import type { QualityLevel } from '../upload/bandwidth.ts'
import { type CoverageTotal, CoverageTotals } from './coverage-totals.ts'
import { LaneAccount } from './lane-account.ts'
import type { CapturePort, LaneListener, ObserversPort } from './ports.ts'
import type { SessionEvents } from './session-events.ts'
import { lanesToRun } from './session-machine.ts'
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
  #account: LaneAccount | undefined

  constructor(options: LaneRunnerOptions) {
    this.#options = options
    this.#sink = createSpoolSink({ ...options, account: () => this.#kept, isObserved: () => this.noteCoverage() })
  }

  health(): readonly HealthReport[] {
    return this.#options.capture.health()
  }

  coverage(): readonly CoverageTotal[] {
    return this.#coverage.list()
  }

  async run({ lanes, config, callIn, paused }: Extract<SessionEffect, { type: 'run_lanes' }>): Promise<void> {
    const { capture, observers, events, clock } = this.#options
    const there = paused && new Set<LaneName>(capture.health().map(({ lane }) => lane))
    const wanted = lanes.filter((lane: LaneName) => lane !== 'signals' && (!there || there.has(lane)))
    this.#kept.begin(wanted.filter(isRecordedLane), clock.wallMs())
    await capture.apply(wanted, config, this.#sink)
    this.noteCoverage()
    this.#kept.keepOnly(lanes.filter(isRecordedLane), clock.wallMs())
    if (paused || !lanes.includes('signals')) return observers.stop()
    await observers.start(events.fromObservers, config, callIn)
  }

  async pause(reason: 'paused' | 'break'): Promise<void> {
    await this.#options.capture.pause(reason)
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
    this.#kept.stop(this.#options.clock.wallMs())
    this.#options.events.note('agent.stopping', 'session', {})
  }

  /** A restarted agent was gone until now. */
  noteAbsence(state: SessionState, registeredAt: number | undefined): void {
    const { spool, clock } = this.#options
    const stillIntervalMs = (state.config?.capture.screenshotIntervalSeconds ?? 0) * 1000
    const { signs } = spool
    const said = { samples: signs.lastSamples(), heartbeat: signs.lastHeartbeat(), registeredAt, stillIntervalMs }
    this.#kept.resume(lanesToRun(state).filter(isRecordedLane), said, clock.wallMs())
  }

  /** Says what the lanes have observed since it was said last. */
  noteCoverage(): void {
    const windows = Map.groupBy(this.#options.capture.takeCoverage(), ({ lane }) => isRecordedLane(lane))
    this.#kept.windows(windows.get(true) ?? [])
    for (const window of windows.get(false) ?? []) {
      this.#options.events.coverage(window)
      this.#coverage.add(window)
    }
  }

  /** Read when it is needed first: a new session begins with an empty spool. */
  get #kept(): LaneAccount {
    const { spool, events } = this.#options
    this.#account ??= new LaneAccount({
      kept: spool.signs.account(),
      tell: (statements, account) => {
        events.account(statements, account)
        this.#coverage.addStatements(statements)
      },
    })
    return this.#account
  }

  setQuality(level: QualityLevel): Promise<void> {
    this.#options.events.note('quality.changed', 'uploader', { level })
    return this.#options.capture.setQuality(level)
  }
}
