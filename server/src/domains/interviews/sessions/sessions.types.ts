import type {
  EvidenceType,
  LaneName,
  MeetingProviderName,
  PermissionState,
  ReviewState,
  SessionConfig,
  SessionState,
} from '@integrity/protocol'
import type { Environment } from '../../../kernel/identity/scope.ts'
import type { ConsentRecord } from './consent/consent.model.ts'

/** As it is kept; what app to expect is derived. `startsAt` is ISO 8601 in UTC. */
export interface StoredMeeting {
  readonly provider: MeetingProviderName
  readonly url: string
  readonly startsAt: string | null
}

export interface SessionRow {
  readonly orgId: string
  readonly id: string
  readonly environment: Environment
  readonly externalId: string | null
  readonly candidateLabel: string | null
  readonly state: SessionState
  readonly config: SessionConfig
  readonly policyVersion: number
  /** Lanes and types of evidence that a change of policy switched off, and when (epoch milliseconds). */
  readonly lanesOff: Partial<Record<LaneName | EvidenceType, number>>
  /** What it was made with. */
  readonly policy: { readonly id: string; readonly version: number } | null
  readonly consent: ConsentRecord | null
  /** Observations; bookkeeping is not counted. */
  readonly eventCount: number
  readonly legalHold: boolean
  readonly meeting: StoredMeeting | null
  readonly schedule: { startsAt: string; durationMinutes: number; timeZone: string } | null
  readonly provisionedBy: { kind: string; id: string; label: string | null }
  readonly device: Record<string, string> | null
  readonly permissions: Record<string, PermissionState>
  /** When the agent said what of each permission, epoch milliseconds. */
  readonly permissionTimes: Record<string, number>
  readonly capabilities: { observer: string; status: 'observable' | 'not_observable'; why?: string }[]
  readonly registeredAt: number | null
  readonly lastContactAt: number | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly endReason: string | null
  readonly erasedAt: number | null
}

/** What anybody is shown of a session, without what its agent told of the machine and what only decides. */
export type ShownSession = Omit<
  SessionRow,
  | 'orgId'
  | 'lanesOff'
  | 'device'
  | 'permissions'
  | 'permissionTimes'
  | 'capabilities'
  | 'registeredAt'
  | 'lastContactAt'
>

/** What a list of sessions is narrowed by; times are epoch milliseconds, `to` is left out. */
export interface SessionFilters {
  readonly state?: string | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly provisionedBy?: string | undefined
  readonly externalId?: string | undefined
  /** The state of the review, or that there is none. */
  readonly reviewState?: ReviewState | 'none' | undefined
  /** Beginnings of words that must all be found. */
  readonly words?: readonly string[] | undefined
  /** The order, which narrows nothing: oldest first. */
  readonly oldest?: true | undefined
}

/** What decides whether an upload is taken, without the rest of the row: it is read for every batch. */
export type SessionGate = Pick<
  SessionRow,
  'id' | 'externalId' | 'state' | 'config' | 'lanesOff' | 'consent' | 'startedAt' | 'endedAt' | 'erasedAt'
>

/** A session's gate, locked until the commit, with its event counter. */
export interface LockedGate extends SessionGate {
  /** Events of every category, which is the position of the last one. */
  readonly eventCount: number
  /** Observations among them. */
  readonly observationCount: number
  /** Characters of their data as JSON, all together. */
  readonly eventBytes: number
}
