import type { KeyObject } from 'node:crypto'
import type { ChainSeal } from './audit.seal.ts'
import type { ChainHead } from './audit.verify.store.ts'

export type ChainFailure =
  /** The row does not hash to its own hash, or does not continue the row before it. */
  | 'altered'
  /** No row has this number, but a later one exists. */
  | 'missing'
  /** Another row stands here, and the one that belongs here stands later. */
  | 'reordered'
  /** The payload beside the row is not the one it commits to. An erased payload is no failure. */
  | 'payload_altered'
  /** The head or a stored checkpoint says that the chain was longer. */
  | 'cut_off'
  /** The head or a kept checkpoint states another row here, or none; or a checkpoint's signature does not hold. */
  | 'forked'
  /** The head, behind this row, was not written by a server with the master key: cut, written again, or put back. */
  | 'unsealed'
  /** The checkpoint that was kept here is gone, or none was ever kept. */
  | 'checkpoint_missing'
  /** The checkpoint here is signed by a key that nobody named, or is none that this server kept. */
  | 'checkpoint_foreign'

export interface Failure {
  readonly seq: number
  readonly reason: ChainFailure
}

export type ChainReport =
  | {
      readonly ok: true
      readonly rows: number
      /** The last row. */
      readonly head: ChainHead
      /** Kept checkpoints: all of them state this chain and are signed. */
      readonly checkpoints: number
    }
  | {
      readonly ok: false
      /** Rows that were found good before the failure. */
      readonly rows: number
      /** As the organisation's head said when this began. */
      readonly head: ChainHead
      readonly firstFailure: Failure
    }

export interface VerifyOptions {
  readonly seal: ChainSeal
  /** Keys whose signatures are taken: this server's, and those that the operator names as earlier ones. */
  readonly checkpointKeys: readonly KeyObject[]
  /** Where given, a chain whose first row is older than five minutes needs a checkpoint. Epoch milliseconds. */
  readonly now?: number
  /** Is given every row that was found good, in the order of the chain. */
  readonly visit?: (seq: number, hash: string) => void
  /** Rows that this thread takes at a time. */
  readonly pageSize?: number
  /** Rows that a thread which reads looks through at a time; as many, unless told. */
  readonly digestRows?: number
}
