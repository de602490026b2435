import type { AtsLabel, AtsProvider, AtsPush, atsDirections, atsSyncStates } from '@integrity/protocol'

export interface AtsSettings {
  readonly triggerStages: readonly string[]
  readonly policyId: string | null
  readonly invite: boolean
  readonly push: readonly AtsPush[]
  readonly mapping: AtsMapping
}
export interface AtsMapping {
  readonly policies: readonly { readonly stage: string; readonly policyId: string }[]
  readonly label: AtsLabel
}

/** Times are epoch milliseconds. */
export interface ConnectionRow {
  readonly id: string
  readonly provider: AtsProvider
  readonly label: string
  /** Of label, credentials and settings: one more each time that they are set. */
  readonly version: number
  readonly status: 'connected' | 'paused' | 'broken'
  readonly problem: string | null
  readonly settings: AtsSettings
  /** Sealed; null once it was disconnected. */
  readonly wrappedCredentials: string | null
  readonly wrappedSecret: string | null
  /** Of the key that Greenhouse calls with, where it does. */
  readonly keyHash: string | null
  readonly secretSetAt: number
  readonly connectedAt: number
  readonly disconnectedAt: number | null
}

export interface SyncRow {
  readonly id: string
  readonly connectionId: string
  readonly direction: (typeof atsDirections)[number]
  readonly what: 'stage_change' | AtsPush | 'response_error'
  readonly status: (typeof atsSyncStates)[number]
  readonly applicationId: string | null
  readonly sessionId: string | null
  /** What came in and is not worked on yet, sealed; null after that. */
  readonly wrappedNews: string | null
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly problem: string | null
  readonly replayOf: string | null
  /** By what a note is found again: of the first in a row of replays. */
  readonly ref: string
  readonly createdAt: number
  readonly finishedAt: number | null
}

/** Which application a session is of. */
export interface LinkedSession {
  readonly sessionId: string
  readonly connectionId: string
  readonly applicationId: string
  readonly candidateId: string
  /** Of one that Greenhouse asked for as a test: which, and the sealed address that is told of news. */
  readonly test?: { readonly id: string; readonly wrappedUrl: string } | undefined
}
