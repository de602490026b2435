import type { Reader } from './types.ts'

/**
 * Where a statement that may be read from a replica was read: there; or from the primary, because the replica had not yet what the
 * reader must see, did not answer, is a server of something else, or could not run the statement.
 */
export const replicaOutcomes = ['replica', 'behind', 'away', 'stray', 'failed'] as const
export type ReplicaOutcome = (typeof replicaOutcomes)[number]

/** What a look at the replica finds. */
export interface ReplicaLook {
  /** Whether it has all that the primary had when it was asked, or got it within the time that a read waits. */
  readonly isCurrent: boolean
  /** Of the log, that it had not replayed when it was last asked. */
  readonly bytesBehind: number
}

/** A second address of the database, which follows the first one and is read only. */
export interface Replica {
  /**
   * Reads of one request, made for each: they see everything that was committed when the first of them was asked for, by whomever.
   * What the replica cannot answer, the primary does.
   */
  reader(): Reader
  /** Rejects where it does not answer or is none. */
  look(): Promise<ReplicaLook>
  close(): Promise<void>
}

/** The other address answers, and what answers is no replica of this database. */
export class ReplicaUnusable extends Error {
  override readonly name = 'ReplicaUnusable'
  readonly outcome: 'stray'
  constructor(outcome: 'stray', message: string) {
    super(message)
    this.outcome = outcome
  }
}
