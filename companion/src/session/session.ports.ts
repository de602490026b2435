import { CameraFailure } from '@integrity/protocol/clients/camera'
import type { ServerTime } from '@integrity/protocol/clients/server-time'
import type { CompanionApi } from './companion-api.ts'
import type { QueuePort } from './queue.port.ts'
import type { DeviceFacts, GreyFrame, MotionSample, Picture } from './session.types.ts'

/** Why a camera does not open, or stopped. */
export type CameraProblem = 'permission_denied' | 'camera_busy' | 'camera_missing'

export class CameraError extends CameraFailure<CameraProblem> {}

/** A film in the making. Its chunks, one after the other, are one file. */
export interface RunningFilm {
  readonly contentType: string
  /** Resolves after the last chunk was handed over. */
  stop(): Promise<void>
}

export interface OpenCamera {
  /** What the live view shows: a MediaStream on the web, nothing on a device, where the view is the camera. */
  readonly view: unknown
  /** `undefined` when the camera gives no new picture. */
  take(size: 'photo' | 'preview'): Promise<Picture | undefined>
  /** A small grey picture for the checks. */
  sample(): Promise<GreyFrame | undefined>
  /** A WebP of now, at most 160 pixels a side and 4 kB; `undefined` where this phone makes none. */
  small(): Promise<ArrayBuffer | undefined>
  /** `undefined` where this phone cannot film. */
  film(onChunk: (bytes: ArrayBuffer) => void): RunningFilm | undefined
  /** Another app took the camera, gave it back, or it is gone for good. */
  onHealth(listener: (health: 'ok' | 'muted' | 'ended') => void): void
  close(): void
}

export interface CameraPort {
  readonly supported: boolean
  /** Throws `CameraError`. */
  open(): Promise<OpenCamera>
}

export interface DeviceReading {
  /** 0 to 1; null where the phone does not tell. */
  readonly battery: number | null
  readonly charging: boolean | null
  readonly network: string | null
  readonly orientation: string | null
  readonly foreground: boolean
}

export interface DevicePort {
  readonly facts: DeviceFacts
  /** Makes this the one place of the phone where the app runs; `onTaken`: another tab has become it. */
  takeOver(onTaken: () => void): Promise<void>
  read(): Promise<DeviceReading>
  /** The app came to the front or left it. */
  onForeground(listener: () => void): () => void
  onOnline(listener: () => void): () => void
  /** Answers how to end it. */
  stayAwake(): () => void
  newId(): string
}

export interface MotionPort {
  /** Must be called from a touch: some phones ask the person. Answers how to stop. */
  start(onSample: (sample: MotionSample) => void): () => void
}

export interface TimePort {
  /** Answers how to cancel. */
  readonly after: (ms: number, action: () => void) => () => void
  readonly random: () => number
}

/** Everything the session needs from the world. */
export interface Ports {
  readonly api: CompanionApi
  readonly serverTime: ServerTime
  readonly time: TimePort
  readonly camera: CameraPort
  readonly motion: MotionPort
  readonly device: DevicePort
  /** Told which service a scanned link belongs to; a page in a browser knows its own. */
  readonly learnService: (baseUrl: string) => void
  readonly openQueue: () => Promise<QueuePort>
  /** What the screens speak now, BCP 47. */
  readonly language: () => string
}
