import type {
  AccountReporter,
  AccountState,
  EvidenceSource,
  EvidenceType,
  GapReason,
  LaneName,
  Span,
} from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { PhonePresence } from '../../recording/companions/presence.log.service.ts'

/** A stretch of time and how it was with a source in it. Epoch milliseconds. */
export interface AccountStretch extends Span {
  readonly state: AccountState
  /** Of a gap, a pause or a decline. */
  readonly reason: GapReason | null
  readonly reportedBy: AccountReporter
  /** An object is stored that shows this time. */
  readonly held: boolean
}

/** The whole time of one source. */
export interface SourceAccount {
  /** `screen:<displayId>`, else the name of the lane; of the screen's lane also the lane as a whole. */
  readonly source: string
  readonly lane: LaneName
  readonly displayId: string | null
  /** `observedMs` and the lengths of the gaps. */
  readonly expectedMs: number
  readonly observedMs: number
  readonly heldMs: number
  /** In order of time, without overlap or hole. Empty where nobody has agreed or declined. */
  readonly stretches: readonly AccountStretch[]
}

/** A stored object, as far as an account asks. */
export interface HeldObject {
  readonly evidenceType: EvidenceType
  readonly source: EvidenceSource
  readonly capturedAt: number
  readonly durationMs: number | null
}

export type AccountSession = Pick<SessionRow, 'startedAt' | 'endedAt' | 'erasedAt' | 'config' | 'consent' | 'lanesOff'>

/** What a phone said of itself, and what was answered for its lane. */
export interface SideViewInput {
  readonly phones: readonly PhonePresence[]
  /** What was answered for the phone's lane and when (epoch milliseconds), oldest first. */
  readonly answers: readonly { readonly granted: boolean; readonly at: number }[]
}

/** What was told and what is held of a session, in any order. */
export interface AccountInput {
  readonly session: AccountSession
  readonly windows: readonly LaneWindow[]
  readonly gaps: readonly LaneGap[]
  /** Without those that were erased. */
  readonly objects: readonly HeldObject[]
  /** Without it nothing is said of the phone's lane. */
  readonly sideView?: SideViewInput | undefined
}
