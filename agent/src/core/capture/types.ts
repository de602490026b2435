import type { AgentEvidenceType, GapReason, LaneHealthState, RecordedLane, TimedLane } from '@integrity/protocol'
import type { Environment } from '../../shared/child-process.ts'

export type LaneName = RecordedLane
/** What gives an account of itself: the lanes, and the transcript, which records nothing but works on their sound. */
export type ReportingLane = TimedLane

export interface ItemMeta {
  width?: number
  height?: number
  /** Counts the chunks or clips of one lane from 0, over driver restarts. */
  sequence?: number
  codec?: string
  sampleRate?: number
  channels?: number
  /** Energy of the sound in dBFS; −120 is digital silence. */
  levelDb?: number
  peakDb?: number
  framesPerSecond?: number
  /** Perceptual hash of a still, 16 hex digits. */
  hash?: string
  /** What caused a still: its interval, or the change that asked for one. */
  trigger?: string
  /** The name of the driver that recorded it. */
  driver?: string
  /** The name of the device as the operating system gives it. */
  device?: string
  /** What was recorded by another clock: how far that is behind the computer's, ms. It becomes an event, not evidence. */
  clockOffsetMs?: number
}

/** One recorded thing, still in memory. `capturedAt` is epoch ms of its first sample, `durationMs` how much it holds. */
export interface CapturedItem {
  kind: AgentEvidenceType
  lane: LaneName
  /** Of a lane that records each display by itself. */
  displayId?: string | undefined
  capturedAt: number
  monotonicMs: number
  durationMs?: number | undefined
  contentType: string
  bytes: Buffer
  /** Of a picture: a WebP, at most 160 pixels a side and 4 kB. */
  small?: Buffer | undefined
  /** Of sound: one byte for 100 ms, 0 is −90 dBFS or less, 255 is 0 dBFS. */
  levels?: Buffer | undefined
  meta: ItemMeta
}

/** A stretch without observation, epoch ms. */
export interface Gap {
  lane: ReportingLane
  displayId?: string
  from: number
  to: number
  reason: GapReason
}

export interface HealthReport {
  lane: ReportingLane
  displayId?: string
  state: LaneHealthState
  reason?: string
  since: number
}

/**
 * Where a lane delivers. `item` resolves with true once the item is durable in the spool, with false when it was given up
 * for want of room, and rejects when it cannot be durable.
 */
export interface LaneSink {
  item(item: CapturedItem): Promise<boolean>
  /** A display was looked at and showed what its last still shows. */
  unchanged(displayId: string, at: number): void
  gap(gap: Gap): void
  health(report: HealthReport): void
  /** A display is not there any more. */
  displayGone?(displayId: string, at: number): void
  /** Each proof of life of a driver, as it comes. */
  sample?(lane: LaneName, sample: Sample): void
}

/**
 * Proof that a lane observes: a frame that decoded, or sound whose energy was measured (silence is a measurement).
 * `varies: false` marks a frame of a single colour.
 */
export interface Sample {
  at: number
  displayId?: string
  varies?: boolean
  levelDb?: number
}

/** What a driver reports to its lane. */
export interface DriverSink {
  item(item: CapturedItem): Promise<void>
  unchanged(displayId: string, at: number): void
  sample(sample: Sample): void
  /** The displays that are there now; each is held to account by itself. */
  displays(displayIds: string[]): void
}

export type ProbeResult = { ok: true } | { ok: false; reason: GapReason; detail: string }

/** A way to record one lane. `start` runs until `signal` aborts, and throws when recording ends otherwise. */
export interface Driver {
  readonly name: string
  probe(config: CaptureConfig): Promise<ProbeResult>
  start(sink: DriverSink, config: CaptureConfig, signal: AbortSignal): Promise<void>
  /** Asks for an item out of turn (a still on a display or foreground change). */
  trigger?(reason: string): void
}

/** A driver's failure that knows which gap it leaves. */
export class DriverError extends Error {
  readonly reason: GapReason
  constructor(reason: GapReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DriverError'
    this.reason = reason
  }
}

export type CameraSource = { kind: 'device'; path: string } | { kind: 'file'; path: string }

export type SoundLane = 'microphone' | 'system_audio'

/** Sound known to come from its lane's source: 16 kHz mono, 16 bit, whole samples. Its last sample arrived at `at` (epoch ms). */
export interface ConfirmedSound {
  lane: SoundLane
  bytes: Buffer
  at: number
}

/** A picture that a lane looked at. Two with the same `mark` are the same picture. */
export interface PictureLook {
  mono: number
  mark: string
  /** False for a picture of a single colour. */
  varies: boolean
}

export interface SoundConfig {
  chunkSeconds: number
  bitrateKbps: number
  /** How often sound is confirmed and measured; as seldom as is safe when absent. */
  confirmMs?: number
  /** A PulseAudio source name; absent: the default source, or the default sink's monitor for system audio. */
  source?: string
}

/** What to record, taken from the session's policy and the machine. Times in ms unless named otherwise. */
export interface CaptureConfig {
  screen: {
    stillIntervalMs: number
    /** A still is delivered at least this often, also when nothing changed. */
    keyframeIntervalMs: number
    /** webp quality, 1 to 100. */
    quality: number
    clips: { enabled: boolean; clipSeconds: number; framesPerSecond: number }
  }
  microphone: SoundConfig
  systemAudio: SoundConfig
  camera: {
    stills: boolean
    stillIntervalMs: number
    clips: boolean
    clipSeconds: number
    framesPerSecond: number
    /** Absent: the first `/dev/video*`. */
    source?: CameraSource
  }
  /** Told of confirmed sound before it is cut and encoded, in order; the transcript listens here. */
  onSound?: (sound: ConfirmedSound) => void
  /** Whether it would listen now; asked often, and always when absent. Sound that is not to be had for nothing is left out. */
  soundWanted?: () => boolean
  /** Told of each picture of the camera that is looked at. */
  onCameraLook?: (look: PictureLook) => void
  /** Environment for children (DISPLAY, PULSE_SERVER, FFMPEG_PATH); the process's own when absent. */
  env?: Environment
}

export const defaultCaptureConfig: CaptureConfig = {
  screen: {
    stillIntervalMs: 10_000,
    keyframeIntervalMs: 300_000,
    quality: 75,
    clips: { enabled: false, clipSeconds: 10, framesPerSecond: 5 },
  },
  microphone: { chunkSeconds: 10, bitrateKbps: 24 },
  systemAudio: { chunkSeconds: 10, bitrateKbps: 24 },
  camera: { stills: true, stillIntervalMs: 30_000, clips: false, clipSeconds: 10, framesPerSecond: 10 },
}
