import type { Client } from '@integrity/client/every-endpoint'
import type { Clock } from '../../shared/clock.ts'
import type { Spool } from '../spool/spool.ts'
import type { ItemKind, Remaining } from '../spool/types.ts'
import type { QualityLevel } from './bandwidth.ts'

export interface UploaderOptions {
  readonly spool: Spool
  readonly client: Client
  readonly sessionId: string
  readonly clock: Clock
  readonly random?: () => number
  /** Whether the service can say at once that somebody watches; else events wait less. */
  readonly isLinked?: () => boolean
  /** Asks the capture side for another still quality; called on each change. */
  readonly onQuality?: (level: QualityLevel) => void
  /** There is nothing where the service was asked to put something (404, 410): perhaps not even the session. */
  readonly onGone?: () => void
  /** The credential is not accepted any more. Nothing further is sent. */
  readonly onUnauthorized?: () => void
  /** For the log: why something is tried again. */
  readonly onTrouble?: (trouble: string) => void
}

export interface UploaderStatus {
  readonly state: 'idle' | 'sending' | 'waiting' | 'offline' | 'unauthorized' | 'stopped'
  readonly sentItems: number
  readonly sentEvents: number
  readonly sentBytes: number
  readonly sentByKind: Readonly<Partial<Record<ItemKind, number>>>
  readonly bytesPerSecond: number | undefined
  readonly quality: QualityLevel
  readonly remaining: Remaining
}
