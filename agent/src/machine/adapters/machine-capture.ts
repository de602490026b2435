import {
  type GapReason,
  isRecordedLane,
  type LaneName,
  type RecordedLane,
  type SessionConfig,
} from '@integrity/protocol'
import type { CoverageWindow } from '../../core/capture/coverage.ts'
import type { Lane } from '../../core/capture/lane.ts'
import type { CaptureConfig, HealthReport, LaneSink } from '../../core/capture/types.ts'
import type { CapturePort } from '../../core/session/ports.ts'
import type { TranscriptLane } from '../../core/transcript/transcript-lane.ts'
import type { QualityLevel } from '../../core/upload/bandwidth.ts'
import type { Clock } from '../../shared/clock.ts'
import { type Sources, sectionOf, toCaptureConfig } from './capture-config.ts'
import { createLanes } from './create-lanes.ts'

export interface MachineCaptureOptions {
  /** A function is asked again whenever lanes are made or the policy changes. */
  readonly sources: Sources | (() => Sources)
  readonly clock: Clock
  readonly onTrouble: (trouble: string) => void
  /** The same, for a program. */
  readonly onLost?: (lost: { lane: RecordedLane; reason: GapReason; detail: string }) => void
  /** A last word on how the lanes record. */
  readonly adjust?: (config: CaptureConfig) => CaptureConfig
  /** Makes the lanes; this machine's drivers unless told. */
  readonly create?: typeof createLanes
  /** Listens to the sound of the lanes. */
  readonly transcript?: TranscriptLane
  /** Told of each picture of the camera that is looked at. */
  readonly onCameraLook?: CaptureConfig['onCameraLook'] | undefined
}

/**
 * What this machine records: starts, stops and reconfigures its lanes so that they match the policy and the consent. The
 * transcript ends after the lanes, so that the last of what they heard is still written down.
 */
export class MachineCapture implements CapturePort {
  readonly #options: MachineCaptureOptions
  readonly #lanes = new Map<RecordedLane, Lane>()
  /** Of lanes that have stopped since the windows were last taken. */
  #windows: CoverageWindow[] = []
  #policy: SessionConfig | undefined
  #config: CaptureConfig | undefined
  #level: QualityLevel = 0

  constructor(options: MachineCaptureOptions) {
    this.#options = options
  }

  async apply(lanes: readonly LaneName[], policy: SessionConfig, sink: LaneSink): Promise<void> {
    this.#policy = policy
    const wanted = new Set(lanes.filter(isRecordedLane))
    const before = this.#config
    const config = this.#configOf(policy, this.#level)
    this.#config = config
    // Whether clips are recorded beside the stills is settled when the lane is made.
    const remake = before !== undefined && before.screen.clips.enabled !== config.screen.clips.enabled
    const ending = [...this.#lanes.keys()].filter((lane) => !wanted.has(lane) || (remake && lane === 'screen'))
    await Promise.all(ending.map((lane) => this.#end(lane)))
    await this.#reconfigure(before, config)
    const added = [...wanted].filter((lane) => !this.#lanes.has(lane))
    const make = this.#options.create ?? createLanes
    const made = make({
      lanes: added,
      sink,
      config,
      clock: this.#options.clock,
      onTrouble: (lost) => {
        this.#options.onTrouble(`${lost.lane}: ${lost.reason}: ${lost.detail}`)
        this.#options.onLost?.(lost)
      },
    })
    for (const [name, lane] of made) {
      this.#lanes.set(name, lane)
      lane.start()
    }
    await this.#options.transcript?.apply(lanes, sink)
  }

  async pause(reason: 'paused' | 'break'): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.pause(reason)))
    await this.#options.transcript?.pause()
  }

  resume(): void {
    this.#options.transcript?.resume()
    for (const lane of this.#lanes.values()) lane.resume()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#lanes.keys()].map((lane) => this.#end(lane)))
    await this.#options.transcript?.stop()
  }

  async setQuality(level: QualityLevel): Promise<void> {
    this.#level = level
    if (!this.#policy) return
    const before = this.#config
    this.#config = this.#configOf(this.#policy, level)
    await this.#reconfigure(before, this.#config)
  }

  takeCoverage(): readonly CoverageWindow[] {
    const windows = this.#windows
    this.#windows = []
    const running = [...this.#lanes.values()].flatMap((lane) => lane.takeCoverage())
    return [...windows, ...running, ...(this.#options.transcript?.takeCoverage() ?? [])]
  }

  health(): readonly HealthReport[] {
    const transcript = this.#options.transcript?.health()
    return [...[...this.#lanes.values()].map((lane) => lane.health()), ...(transcript ? [transcript] : [])]
  }

  #configOf(policy: SessionConfig, level: QualityLevel): CaptureConfig {
    const { sources, transcript, onCameraLook, adjust = (config) => config } = this.#options
    const made = adjust(toCaptureConfig(policy, typeof sources === 'function' ? sources() : sources, level))
    const config = onCameraLook ? { ...made, onCameraLook } : made
    if (!transcript) return config
    return { ...config, onSound: (sound) => transcript.hear(sound), soundWanted: () => transcript.listens() }
  }

  /** Only lanes whose own part of the policy changed are disturbed. */
  async #reconfigure(before: CaptureConfig | undefined, config: CaptureConfig): Promise<void> {
    if (!before) return
    const changed = [...this.#lanes].filter(
      ([name]) => JSON.stringify(sectionOf(before, name)) !== JSON.stringify(sectionOf(config, name)),
    )
    await Promise.all(changed.map(([, lane]) => lane.reconfigure(config)))
  }

  async #end(name: RecordedLane): Promise<void> {
    const lane = this.#lanes.get(name)
    if (!lane) return
    await lane.stop()
    this.#windows.push(...lane.takeCoverage())
    this.#lanes.delete(name)
  }
}
