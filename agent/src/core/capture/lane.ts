import type { GapReason } from '@integrity/protocol'
import type { Clock } from '../../shared/clock.ts'
import { systemClock } from '../../shared/clock.ts'
import type { CoverageWindow, Proof } from './coverage.ts'
import { runDriverLoop } from './driver-loop.ts'
import { LaneHealth } from './lane-health.ts'
import { pieceOf } from './piece.ts'
import {
  type CaptureConfig,
  type Driver,
  DriverError,
  type DriverSink,
  type HealthReport,
  type LaneName,
  type LaneSink,
} from './types.ts'

/** Without a sample for this long a lane is down, and the candidate is told. */
const sampleTimeoutMs = 15_000
const tickMs = 1000
/** The wall clock running ahead of the monotonic one by more than this means that the machine slept. */
const sleepEvidenceMs = 5000
/** How long `stop` waits for a driver to hand over its last segment. */
const stopGraceMs = 10_000

export interface LaneOptions {
  lane: LaneName
  /** In order of preference. */
  drivers: Driver[]
  /** Record beside the main driver (clips beside stills); their failure is told but is no gap of the lane. */
  extras?: Driver[]
  sink: LaneSink
  config: CaptureConfig
  clock?: Clock
  random?: () => number
  sampleTimeoutMs?: number
  /** Told in words when a driver stops or cannot start; for the log. */
  onTrouble?: (trouble: { lane: LaneName; reason: GapReason; detail: string }) => void
}

export interface Lane {
  readonly name: LaneName
  start(): void
  /** Stops recording and opens a gap; `resume` goes on. */
  pause(reason?: GapReason): Promise<void>
  resume(): void
  /** Applies a changed policy by restarting the drivers. */
  reconfigure(config: CaptureConfig): Promise<void>
  /** Hands over the last partial segment, then ends the lane for good. */
  stop(): Promise<void>
  /** Asks the drivers for an item out of turn. */
  trigger(reason: string): void
  health(): HealthReport
  activeDriver(): string | undefined
  /** The windows since the last call, disjoint, for the lane and for each display. */
  takeCoverage(now?: number): CoverageWindow[]
}

/** What is recorded in pieces was observed once they are on the disk; of stills, a look at what they show is as good. */
const proofOf = (lane: LaneName, { camera }: CaptureConfig): Proof =>
  lane === 'screen' || (lane === 'camera' && !camera.clips) ? 'samples' : 'pieces'

interface Run {
  controller: AbortController
  done: Promise<unknown>
}

/** Supervises the drivers of one lane: which one records, whether samples arrive, and what was missed and why. */
export const createLane = (options: LaneOptions): Lane => new SupervisedLane(options)

class SupervisedLane implements Lane {
  readonly name: LaneName
  readonly #options: LaneOptions
  readonly #clock: Clock
  readonly #timeoutMs: number
  /** The drivers that run now, with the way to end each. */
  readonly #active = new Map<Driver, (error: DriverError) => void>()
  readonly #sequences = new Map<string, number>()
  readonly #ticker = new AbortController()
  #config: CaptureConfig
  #health: LaneHealth | undefined
  #run: Run | undefined
  #main: { driver: Driver; startedMono: number } | undefined

  constructor(options: LaneOptions) {
    this.name = options.lane
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#timeoutMs = options.sampleTimeoutMs ?? sampleTimeoutMs
    this.#config = options.config
  }

  start(): void {
    if (this.#health) return
    const { sink } = this.#options
    this.#health = new LaneHealth({
      lane: this.name,
      clock: this.#clock,
      timeoutMs: this.#timeoutMs,
      onGap: (gap) => sink.gap(gap),
      onHealth: (report) => sink.health(report),
      onDisplayGone: (displayId, at) => sink.displayGone?.(displayId, at),
    })
    this.#begin()
    void this.#tick()
  }

  async pause(reason: GapReason = 'paused'): Promise<void> {
    await this.#halt()
    this.#health?.lost(reason)
  }

  resume(): void {
    if (this.#health && !this.#run && !this.#ticker.signal.aborted) this.#begin()
  }

  async reconfigure(config: CaptureConfig): Promise<void> {
    this.#config = config
    if (!this.#run) return
    await this.#halt()
    this.resume()
  }

  async stop(): Promise<void> {
    if (this.#ticker.signal.aborted) return
    this.#ticker.abort()
    await this.#halt()
    this.#health?.end(this.#clock.wallMs())
  }

  trigger(reason: string): void {
    for (const driver of this.#active.keys()) driver.trigger?.(reason)
  }

  health(): HealthReport {
    const { name: lane } = this
    return this.#health?.laneReport ?? { lane, state: 'down', reason: 'not_started', since: this.#clock.wallMs() }
  }

  activeDriver(): string | undefined {
    return this.#main?.driver.name
  }

  takeCoverage(now: number = this.#clock.wallMs()): CoverageWindow[] {
    return this.#health?.takeCoverage(now) ?? []
  }

  #begin(): void {
    const controller = new AbortController()
    this.#health?.countBy(proofOf(this.name, this.#config))
    const { drivers, extras = [] } = this.#options
    const loops = [this.#launch(drivers, true, controller.signal)]
    for (const extra of extras) loops.push(this.#launch([extra], false, controller.signal))
    this.#run = { controller, done: Promise.all(loops) }
  }

  /** Ends the running drivers and waits for their last segments, within reason. */
  async #halt(): Promise<void> {
    const run = this.#run
    this.#run = undefined
    if (!run) return
    run.controller.abort()
    const timer = new AbortController()
    await Promise.race([run.done, this.#clock.sleep(stopGraceMs, timer.signal)])
    timer.abort()
    this.#active.clear()
    this.#main = undefined
  }

  #launch(drivers: Driver[], judged: boolean, signal: AbortSignal): Promise<void> {
    const { random, onTrouble } = this.#options
    const clock = this.#clock
    return runDriverLoop(
      {
        drivers,
        config: () => this.#config,
        sinkFor: (driver) => this.#sinkFor(driver, judged),
        clock,
        random,
        onStart: (driver, abort) => {
          this.#active.set(driver, abort)
          if (judged) this.#main = { driver, startedMono: clock.monotonicMs() }
        },
        onLost: (reason, detail) => {
          for (const driver of drivers) this.#active.delete(driver)
          onTrouble?.({ lane: this.name, reason, detail })
          if (!judged) return
          this.#main = undefined
          this.#health?.lost(reason)
        },
      },
      signal,
    )
  }

  #sinkFor(driver: Driver, judged: boolean): DriverSink {
    const { sink } = this.#options
    return {
      item: async (item) => {
        const sequence = this.#sequences.get(item.kind) ?? 0
        this.#sequences.set(item.kind, sequence + 1)
        const isKept = await sink.item({ ...item, meta: { ...item.meta, driver: driver.name, sequence } })
        const piece = pieceOf(item)
        if (isKept && judged && piece) this.#health?.sealed(piece)
      },
      unchanged: (displayId, at) => sink.unchanged(displayId, at),
      sample: (sample) => {
        if (!judged) return
        this.#health?.sample(sample)
        sink.sample?.(this.name, sample)
      },
      displays: (ids) => (judged ? this.#health?.displays(ids) : undefined),
    }
  }

  async #tick(): Promise<void> {
    const clock = this.#clock
    let wall = clock.wallMs()
    let mono = clock.monotonicMs()
    for (;;) {
      await clock.sleep(tickMs, this.#ticker.signal)
      if (this.#ticker.signal.aborted) return
      const ahead = clock.wallMs() - wall - (clock.monotonicMs() - mono)
      if (ahead > sleepEvidenceMs && this.#run) {
        this.#health?.missed({ from: wall, to: clock.wallMs(), reason: 'asleep_or_locked' })
      }
      wall = clock.wallMs()
      mono = clock.monotonicMs()
      if (this.#run) this.#judge(mono)
    }
  }

  /** Settles what the time since the last sample means, and ends a driver that runs without giving any. */
  #judge(mono: number): void {
    const health = this.#health
    const main = this.#main
    if (!health) return
    health.check()
    const stalledMs = main ? Math.min(health.silentMs, mono - main.startedMono) : 0
    if (!main || stalledMs < this.#timeoutMs) return
    const error = new DriverError('driver_failed', `no sample for ${Math.round(stalledMs / 1000)} s`)
    this.#active.get(main.driver)?.(error)
  }
}
