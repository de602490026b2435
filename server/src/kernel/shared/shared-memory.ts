import type { Places } from './places.ts'
import type { Presence } from './presence.ts'
import type { SharedBlobs } from './shared-blobs.ts'

/** Whether this process counts together with others: `own` where it is the only one, `away` while it cannot. */
export type SharedState = 'own' | 'shared' | 'away'

/** What the processes that serve on one database know together for a moment. */
export interface SharedMemory {
  state(): SharedState
  readonly presence: Presence
  /** Absent where there is one process. */
  readonly blobs: SharedBlobs | undefined
  /** For connections that are open: streams of a key, sockets of a session. */
  readonly places: Places
  close(): void
}
