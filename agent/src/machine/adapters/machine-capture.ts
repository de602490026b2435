import type { LaneName, SessionConfig } from '@integrity/protocol'
import type { CoverageWindow } from '../../core/capture/coverage.ts'
import type { Lane } from '../../core/capture/lane.ts'
import {
  type CaptureConfig,
  type LaneName as CaptureLane,
  DEFAULT_CAPTURE_CONFIG,
  type GapReason,
  type HealthReport,
  type LaneSink,
} from '../../core/capture/types.ts'
import type { CapturePort } from '../../core/session/ports.ts'
import type { QualityLevel } from '../../core/upload/bandwidth.ts'
import type { Environment } from '../../shared/child-process.ts'
import type { Clock } from '../../shared/clock.ts'
import { createLanes } from './create-lanes.ts'

/** What this machine's command line says about its sources. */
export interface Sources {
  readonly cameraFile?: string | undefined
  /** A device such as `/dev/video0`. */
  readonly cameraDevice?: string | undefined
  readonly micSource?: string | undefined
  readonly systemSource?: string | undefined
  readonly env?: Environment | undefined
}

/** Share of the policy's still quality at each level. */
const qualityShares: Readonly<Record<QualityLevel, number>> = { 0: 1, 1: 0.8, 2: 0.6, 3: 0.4 }
const leastQuality = 10

const cameraSource = ({ cameraFile, cameraDevice }: Sources): Pick<CaptureConfig['camera'], 'source'> => {
  if (cameraFile !== undefined) return { source: { kind: 'file', path: cameraFile } }
  return cameraDevice === undefined ? {} : { source: { kind: 'device', path: cameraDevice } }
}

/** The session's policy as the lanes' drivers take it. */
export const toCaptureConfig = (config: SessionConfig, sources: Sources, level: QualityLevel): CaptureConfig => {
  const { capture, audio, camera } = config
  const stillIntervalMs = capture.screenshotIntervalSeconds * 1000
  const sound = (source: string | undefined) => ({
    ...DEFAULT_CAPTURE_CONFIG.microphone,
    chunkSeconds: audio.chunkSeconds,
    ...(source === undefined ? {} : { source }),
  })
  return {
    screen: {
      ...DEFAULT_CAPTURE_CONFIG.screen,
      stillIntervalMs,
      keyframeIntervalMs: Math.max(DEFAULT_CAPTURE_CONFIG.screen.keyframeIntervalMs, stillIntervalMs),
      quality: Math.max(leastQuality, Math.round(capture.quality * qualityShares[level])),
      clips: { ...DEFAULT_CAPTURE_CONFIG.screen.clips, enabled: capture.recording },
    },
    microphone: sound(sources.micSource),
    systemAudio: sound(sources.systemSource),
    camera: {
      ...DEFAULT_CAPTURE_CONFIG.camera,
      stills: camera.stills,
      stillIntervalMs: camera.stillIntervalSeconds * 1000,
      clips: camera.clips,
      clipSeconds: camera.clipSeconds,
      ...cameraSource(sources),
    },
    ...(sources.env ? { env: sources.env } : {}),
  }
}

const sectionOf = (config: CaptureConfig, lane: CaptureLane): unknown =>
  lane === 'system_audio' ? config.systemAudio : config[lane]

const captureLanes: readonly string[] = ['screen', 'microphone', 'system_audio', 'camera'] satisfies CaptureLane[]
const isCaptureLane = (lane: LaneName): lane is CaptureLane => captureLanes.includes(lane)

export interface MachineCaptureOptions {
  /** A function is asked anew whenever lanes are made or the policy changes. */
  readonly sources: Sources | (() => Sources)
  readonly clock: Clock
  readonly onTrouble: (trouble: string) => void
  /** The same, for a program. */
  readonly onLost?: (lost: { lane: CaptureLane; reason: GapReason; detail: string }) => void
  /** A last word on how the lanes record. */
  readonly adjust?: (config: CaptureConfig) => CaptureConfig
  /** Makes the lanes; this machine's drivers unless told. */
  readonly create?: typeof createLanes
}

/** The lanes of this machine: starts, stops and reconfigures them so that they match the policy and the consent. */
export class MachineCapture implements CapturePort {
  readonly #options: MachineCaptureOptions
  readonly #lanes = new Map<CaptureLane, Lane>()
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
    const wanted = new Set(lanes.filter(isCaptureLane))
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
  }

  async pause(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.pause('paused')))
  }

  resume(): void {
    for (const lane of this.#lanes.values()) lane.resume()
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#lanes.keys()].map((lane) => this.#end(lane)))
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
    return [...windows, ...[...this.#lanes.values()].flatMap((lane) => lane.takeCoverage())]
  }

  health(): readonly HealthReport[] {
    return [...this.#lanes.values()].map((lane) => lane.health())
  }

  #configOf(policy: SessionConfig, level: QualityLevel): CaptureConfig {
    const { sources, adjust = (config) => config } = this.#options
    return adjust(toCaptureConfig(policy, typeof sources === 'function' ? sources() : sources, level))
  }

  /** Only lanes whose own part of the policy changed are disturbed. */
  async #reconfigure(before: CaptureConfig | undefined, config: CaptureConfig): Promise<void> {
    if (!before) return
    const changed = [...this.#lanes].filter(
      ([name]) => JSON.stringify(sectionOf(before, name)) !== JSON.stringify(sectionOf(config, name)),
    )
    await Promise.all(changed.map(([, lane]) => lane.reconfigure(config)))
  }

  async #end(name: CaptureLane): Promise<void> {
    const lane = this.#lanes.get(name)
    if (!lane) return
    await lane.stop()
    this.#windows.push(...lane.takeCoverage())
    this.#lanes.delete(name)
  }
}
