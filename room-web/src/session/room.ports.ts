import type { TimePort } from '@integrity/shared-ui/session/time-port'
import type { CameraPort } from './room.types.ts'
import type { RoomApi } from './room-api.ts'
import type { StillsQueue } from './stills.queue.ts'

/** One tab at a time: two would send two sets of pictures. */
export interface TabLock {
  /**
   * Resolves once this tab has the room: `over` the tab that has it, or when that one has gone. `onElsewhere` is called
   * when another tab has it for more than a moment, and when another takes it over.
   */
  take(over: boolean, onElsewhere: () => void): Promise<void>
}

/** What this tab remembers through a reload. */
export interface TabMemory {
  /** The camera that pictures were being taken with; the person had begun. */
  camera: string | undefined
  /** The person has said stop, and what waited was still being sent. */
  stopping: boolean
  /** The link and everything else of this room. */
  forget(): void
}

export interface RoomPorts {
  readonly sessionId: string
  readonly api: RoomApi
  readonly camera: CameraPort
  readonly openQueue: () => Promise<StillsQueue>
  readonly time: TimePort
  /** How long a picture waits for others to be sent with; the first one is sent at once. Milliseconds. */
  readonly gatherMs: number
  readonly lock: TabLock
  readonly memory: TabMemory
  /** The browser says that the network is back. */
  readonly onOnline: (listener: () => void) => void
  /** Keeps the screen awake until the answer is called. */
  readonly stayAwake: () => () => void
}
