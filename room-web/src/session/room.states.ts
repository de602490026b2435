import type { CameraDevice, CameraProblem, LinkEnd, Progress, RoomFacts, Still } from './room.types.ts'
import type { CameraHealth } from './stills.recorder.ts'

/** What became of the pictures so far. */
export interface Sending {
  readonly progress: Progress
  /** Whether the last request reached the service. */
  readonly reached: boolean
  /** The browser's storage failed: pictures are not being kept. */
  readonly broken: boolean
  /** The newest picture that the service has acknowledged in this tab. */
  readonly lastSent: Still | undefined
}

export interface CameraView {
  readonly busy: boolean
  /** What is seen before anything is sent; absent until the camera is on. */
  readonly preview: { readonly stream: unknown; readonly device: CameraDevice } | undefined
  readonly devices: readonly CameraDevice[]
  readonly problem: CameraProblem | undefined
}

/** Everything the page can show, one at a time. */
export type RoomState =
  | { readonly name: 'opening' }
  /** The service cannot be reached; the page tries again by itself. */
  | { readonly name: 'unreachable' }
  /** `lost`: pictures that were waiting and can no longer be sent. */
  | { readonly name: 'refused'; readonly why: LinkEnd; readonly lost: number }
  /** Another tab of this browser has this room open. */
  | { readonly name: 'elsewhere' }
  | { readonly name: 'unsupported'; readonly why: 'camera' | 'storage' }
  /** The interview does not ask for pictures of the room at the moment. */
  | { readonly name: 'off'; readonly facts: RoomFacts }
  | ConsentState
  | { readonly name: 'declined'; readonly facts: RoomFacts; readonly problem: boolean }
  | ({ readonly name: 'camera'; readonly facts: RoomFacts; readonly sending: Sending } & CameraView)
  | LiveState
  | ReleasingState
  | { readonly name: 'done'; readonly sent: number; readonly lost: number }

export interface ConsentState {
  readonly name: 'consent'
  readonly facts: RoomFacts
  /** The document was changed while it was being read. */
  readonly changed: boolean
  readonly busy: boolean
  /** The answer could not be delivered. */
  readonly problem: boolean
}

export interface LiveState {
  readonly name: 'live'
  readonly facts: RoomFacts
  readonly sending: Sending
  readonly stream: unknown
  readonly device: CameraDevice
  readonly health: CameraHealth
}

export interface ReleasingState {
  readonly name: 'releasing'
  readonly facts: RoomFacts
  readonly sending: Sending
  /** Given up on the person's word. */
  readonly lost: number
}

export type StateNamed<Name extends RoomState['name']> = Extract<RoomState, { readonly name: Name }>

/** What the person may do. Each is ignored in a state where it makes no sense. */
export interface RoomActions {
  answer(accepted: boolean): void
  /** After declining: reads the document again. */
  reconsider(): void
  openCamera(deviceId?: string): void
  begin(): void
  /** The camera goes off; what waits is sent, then the room is let go. */
  stop(): void
  /** While stopping without a network: lets go without sending the rest. */
  abandon(): void
  /** Takes the room over from another tab. */
  takeOver(): void
  tryNow(): void
  /** The page speaks another language now: a document that is being read is fetched in it. */
  relocalise(): void
}
