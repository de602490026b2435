import type { Client } from '@integrity/client/every-endpoint'
import type { LaneName, PermissionState, SessionPhase } from '@integrity/protocol'
import type { ServiceClock } from '../../shared/service-clock.ts'
import type { HealthReport } from '../capture/types.ts'
import type { Spool } from '../spool/spool.ts'
import type { Remaining } from '../spool/types.ts'
import type { UploaderStatus } from '../upload/uploader.types.ts'
import type { CoverageTotal } from './coverage-totals.ts'
import type { LaterQuestion } from './later-asking.ts'
import type { AskConsent, CapturePort, LaneListener, ObserversPort, OpenLive } from './ports.ts'
import type { SessionState } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'

export interface AgentSessionOptions {
  readonly spool: Spool
  /** Put right by the service's answers; everything of the session goes by it. */
  readonly clock: ServiceClock
  readonly server: string
  readonly clientFor: (token: string | undefined) => Client
  readonly capture: CapturePort
  readonly observers: ObserversPort
  readonly listener?: LaneListener | undefined
  readonly askConsent: AskConsent
  /** The policy asks for more since the session runs; `answerLater` answers, whenever the candidate does. */
  readonly onAskedLater?: (question: LaterQuestion) => void
  /** Strings only: name, platform, osVersion, appVersion, timeZone. */
  readonly device: Readonly<Record<string, string>>
  /** What the operating system permits, lane by lane. */
  readonly permissions?: () => Readonly<Partial<Record<LaneName, PermissionState>>>
  /** The language that the candidate reads, BCP 47; the consent document comes in it. */
  readonly locale?: () => string
  readonly random?: () => number
  readonly onPhase?: (phase: SessionPhase) => void
  readonly onTrouble?: (trouble: string) => void
  /** What ended the session in `failed`, as it was thrown. */
  readonly onFailure?: (error: unknown) => void
  /** Without it, only polling tells of a changed policy. */
  readonly openLive?: OpenLive
}

export interface SessionStatus {
  readonly phase: SessionPhase
  readonly sessionId: string | undefined
  readonly failure: string | undefined
  readonly state: SessionState
  /** Never its token. */
  readonly joined: Omit<SessionRecord, 'token' | 'state'> | undefined
  /** Whether the live link stands. */
  readonly live: boolean
  /** Lane by lane, without its displays. */
  readonly coverage: readonly CoverageTotal[]
  readonly lanes: readonly HealthReport[]
  /** On in the policy, but turned on after the candidate was asked. */
  readonly notAsked: readonly LaneName[]
  /** What of it the candidate is asked about now, and what was widened. */
  readonly later: LaterQuestion | undefined
  readonly remaining: Remaining
  readonly upload: UploaderStatus | undefined
}
