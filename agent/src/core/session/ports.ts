import type { consentDocument, LaneName, SessionConfig } from '@integrity/protocol'
import type * as z from 'zod'
import type { InviterFacts } from '../../shared/ipc/invited-by.ts'
import type { CoverageWindow } from '../capture/coverage.ts'
import type { CapturedItem, HealthReport, LaneSink, PictureLook, Sample } from '../capture/types.ts'
import type { Observation, ObserverGap } from '../observers/types.ts'
import type { QualityLevel } from '../upload/bandwidth.ts'
import type { LaneAnswers } from './session-machine.types.ts'

export type ConsentDocument = z.output<typeof consentDocument>

/** The recording lanes of this machine, as the session needs them. */
export interface CapturePort {
  /** Brings the running lanes to exactly these, with this policy. Resolves once lanes that stop have delivered. */
  apply(lanes: readonly LaneName[], config: SessionConfig, sink: LaneSink): Promise<void>
  pause(reason: 'paused' | 'break'): Promise<void>
  resume(): void
  /** Ends every lane; their last partial items are delivered when it resolves. */
  stop(): Promise<void>
  /** Asks for smaller or better stills. */
  setQuality(level: QualityLevel): Promise<void>
  takeCoverage(): readonly CoverageWindow[]
  health(): readonly HealthReport[]
}

/** Told of what lanes and observers report, as it is written down; a window shows it. */
export interface LaneListener {
  health(report: HealthReport): void
  /** A driver gave a proof of life. */
  sample(lane: LaneName, sample: Sample): void
  /** An item was recorded: it is durable. */
  item(item: CapturedItem): void
  observation(): void
}

export interface Capability {
  readonly observer: string
  readonly status: 'observable' | 'not_observable'
  readonly why?: string | undefined
}

export interface ObserverSink {
  emit(observation: Observation): void
  gap(gap: ObserverGap): void
}

export interface ObserversPort {
  capabilities(): Promise<readonly Capability[]>
  /** Starts, or goes on with, the observers that this policy asks for; `callIn` is the program or page of the linked call. */
  start(sink: ObserverSink, config: SessionConfig, callIn?: string): Promise<void>
  stop(): Promise<void>
  /** Told of each picture of the camera that its lane looks at. */
  looked?(look: PictureLook): void
}

/** What the candidate is asked to agree to, and with whom. */
export interface ConsentQuestion {
  readonly document: ConsentDocument
  readonly orgName: string | undefined
  readonly inviter: InviterFacts | undefined
  /** The policy that the document was made of. */
  readonly config: SessionConfig
  /** The document that was answered before; the policy has changed since. */
  readonly previous: ConsentDocument | undefined
}

export interface ConsentAnswer {
  readonly answers: LaneAnswers
  /** When it was given, epoch ms. */
  readonly acceptedAt: number
}

/**
 * Shows the document and answers lane by lane; undefined when the candidate refuses altogether. Gives up waiting,
 * with any answer, when the signal aborts.
 */
export type AskConsent = (question: ConsentQuestion, signal: AbortSignal) => Promise<ConsentAnswer | undefined>

/** Tells at once of what polling would find out within its interval; may be away at any time. */
export interface LiveLink {
  start(): void
  stop(): Promise<void>
}

export interface LiveListener {
  /** The policy or the session's state has changed, or the link is new. */
  readonly onNews: () => void
  /** Somebody looks on for so long, ms: what is captured is sent at once. */
  readonly onWatched: (ms: number) => void
  readonly onState: (connected: boolean) => void
}

export type OpenLive = (session: { readonly token: string; readonly sessionId: string }, to: LiveListener) => LiveLink
