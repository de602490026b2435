import type { LaneName, MomentRuleName } from '@integrity/protocol'
import type { PhonePresence } from '../../recording/companions/presence.log.service.ts'
import type { SourceAccount } from './account.types.ts'
import type { LaneCoverage } from './coverage.model.ts'

/** An integrity event as its observer told it. */
export interface FactEvent {
  readonly id: string
  readonly kind: string
  readonly at: number
  readonly source: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What rules look at, in whatever order it came. */
export interface MomentFacts {
  readonly session: {
    readonly id: string
    readonly startedAt: number | null
    /** When it ended, or now. */
    readonly until: number
  }
  readonly coverage: readonly LaneCoverage[]
  readonly sources: readonly SourceAccount[]
  /** Of each kind no more than `momentEventsOfKind`, and one beyond where there are more. */
  readonly events: readonly FactEvent[]
  readonly phones: readonly PhonePresence[]
}

/** What a rule found. */
export interface Finding {
  /** Tells it from others of its rule; it holds nothing that an erasure takes. */
  readonly key: string
  /** Keys of facts that are part of it: they were moments of their own before, and people may have said something of them. */
  readonly parts?: readonly string[]
  readonly lanes: readonly LaneName[]
  readonly at: number
  readonly untilAt: number | null
  readonly reading: Readonly<Record<string, unknown>>
  readonly atStart: Readonly<Record<string, unknown>> | null
}
export interface Moment extends Finding {
  readonly rule: MomentRuleName
}
