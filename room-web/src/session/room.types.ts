import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { CameraFailure } from '@integrity/protocol/clients/camera'

/** The service's facts about the room: who asks, for what, and the state of consent. */
export type RoomFacts = ResultOf<EndpointMap['rooms.get']>
export type ConsentDocument = RoomFacts['consentDocument']

/** One picture, as the camera gave it. */
export interface Picture {
  readonly bytes: ArrayBuffer
  readonly contentType: 'image/webp' | 'image/jpeg'
  readonly width: number
  readonly height: number
  /** A WebP of it, at most 160 pixels a side and 4 kB; undefined where this browser makes none. */
  readonly small?: ArrayBuffer | undefined
  /** The pixels are exactly those of the picture before: a camera that sees anything always shows some noise. */
  readonly sameAsBefore: boolean
}

/** A picture with what it needs to be sent, now or after a reload. The same `clientId` is never a second still. */
export interface Still {
  readonly clientId: string
  readonly sessionId: string
  /** ISO 8601, by the server's clock. */
  readonly capturedAt: string
  readonly contentType: Picture['contentType']
  readonly sha256: string
  readonly bytes: ArrayBuffer
  readonly small?: ArrayBuffer | undefined
  readonly width: number
  readonly height: number
}

export interface CameraDevice {
  readonly id: string
  readonly label: string
}

export type CameraProblem = 'denied' | 'none' | 'busy' | 'lost'

export interface OpenCamera {
  readonly device: CameraDevice
  /** What a video element shows. Opaque to the session. */
  readonly stream: unknown
  /** The newest picture, or undefined when the camera has given none since the last one was taken. */
  take(): Promise<Picture | undefined>
  /** Called once when the camera goes away by itself. */
  onLost(listener: () => void): void
  close(): void
}

export interface CameraPort {
  /** Whether this browser can use a camera on this page at all. */
  readonly supported: boolean
  /** Throws a CameraError. Asks the person when the browser has to. */
  open(deviceId?: string): Promise<OpenCamera>
  list(): Promise<CameraDevice[]>
  /** A camera was plugged in or out. Answers how to stop listening. */
  onChange(listener: () => void): () => void
}

export class CameraError extends CameraFailure<CameraProblem> {}

/** What was counted for a session; it survives a reload. */
export interface Tally {
  readonly sent: number
  /** Left out because the space for waiting pictures was full. */
  readonly thinned: number
  /** Not accepted by the service. */
  readonly refused: number
}
export const noTally: Tally = { sent: 0, thinned: 0, refused: 0 }

export interface Progress extends Tally {
  readonly waiting: number
}

/** Why a link no longer opens anything. */
export type LinkEnd = 'wrong' | 'expired' | 'released' | 'ended'
