import type { ChangeCause, ReviewReadiness, ReviewState } from '@integrity/protocol'
import type { Environment } from '../../../kernel/identity/scope.ts'

/** Times are epoch milliseconds. */
export interface ReviewRow {
  readonly id: string
  readonly environment: Environment
  readonly sessionId: string
  readonly state: ReviewState
  readonly readiness: ReviewReadiness
  /** A membership; empty while nobody has it. */
  readonly assigneeId: string
  readonly openedAt: number
  readonly endedAt: number
  /** Until then the agent may still deliver. */
  readonly settlesAt: number
  /** First taken into review. */
  readonly takenAt: number | null
  readonly completedAt: number | null
}

/** With what is shown beside it. */
export interface ShownReview extends ReviewRow {
  /** Those that rules found when they were counted; null until then. */
  readonly moments: number | null
  /** Places of those that nobody has played yet, as they are kept. */
  readonly unopenedMoments: string | null
  readonly assigneeName: string | null
  readonly externalId: string | null
  readonly candidateLabel: string | null
}

/** A signed-off report. */
export interface RevisionRow {
  readonly revision: number
  /** Of the document as it was signed. */
  readonly sha256: string
  readonly statement: string | null
  readonly signedOffAt: number
  readonly signerId: string
  /** As they were then. */
  readonly signerName: string
  readonly signerRole: string
  /** Null while nothing has come after it. */
  readonly staleAt: number | null
  /** What that was. */
  readonly staleCause: ChangeCause | null
}
