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

/** The other address answers, and what answers is no replica of this database. */
export class ReplicaUnusable extends Error {
  override readonly name = 'ReplicaUnusable'
  readonly outcome: 'stray'
  constructor(outcome: 'stray', message: string) {
    super(message)
    this.outcome = outcome
  }
}
