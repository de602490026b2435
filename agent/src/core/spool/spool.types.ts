import type { Clock } from '../../shared/clock.ts'
import type { KeyStore } from './key-store.ts'
import type { ItemHeader, SpoolReport } from './types.ts'

export interface SpoolOptions {
  readonly dir: string
  readonly keyStore: KeyStore
  /** Bound on the sealed bytes of items. 2 GiB unless told. */
  readonly maxBytes?: number
  /** Events have a room of their own, so that a full spool can still say that it is full. 64 MiB unless told. */
  readonly maxEventBytes?: number
  /** The words of the transcript have theirs. 64 MiB unless told. */
  readonly maxTranscriptBytes?: number
  readonly clock?: Clock
  /** Called for each thing the candidate or the host should know; also for what was found at the start. */
  readonly onReport?: (report: SpoolReport) => void
  /** Called after an item is durable, before `put` resolves. */
  readonly onStored?: (header: ItemHeader) => void
}
