import type { MomentRuleName, shownAids } from '@integrity/protocol'
import type { BaseRate } from './base-rates.service.ts'

/**
 * What stands on paper beside the signed text: an erasure takes it, or the service reads it from elsewhere. Times are epoch
 * milliseconds.
 */
export interface BesideReport {
  readonly candidateLabel: string | null
  readonly schedule: { readonly startsAt: string; readonly durationMinutes: number; readonly timeZone: string } | null
  readonly consents: readonly AnsweredConsent[]
  readonly moments: readonly PaperMoment[]
  /** What the candidate declared, in the words that both sides read. */
  readonly aids: ReturnType<typeof shownAids>
  /** Of what happened, by kind: when, the earliest first, no more than `mostTimes`. */
  readonly times: Readonly<Record<string, readonly number[]>>
}

export interface AnsweredConsent {
  readonly kind: string
  readonly version: string
  readonly locale: string
  readonly documentHash: string
  readonly recordedAt: number
  readonly lanes: readonly string[]
}
export interface PaperMoment {
  readonly at: number
  readonly untilAt: number | null
  readonly rule: MomentRuleName
  /** Why nothing was recorded; null where something happened. */
  readonly reason: string | null
  readonly lanes: readonly string[]
  /** Null where none is shown. */
  readonly baseRate: BaseRate | null
}

/** So many times of one kind are written out. */
export const mostTimes = 12

export const nothingBeside: BesideReport = {
  candidateLabel: null,
  schedule: null,
  consents: [],
  moments: [],
  aids: [],
  times: {},
}
