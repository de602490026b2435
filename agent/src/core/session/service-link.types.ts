import type { LaneName, SessionConfig } from '@integrity/protocol'
import type { OrgFacts } from './org-facts.ts'
import type { ConsentDocument } from './ports.ts'
import type { LaneAnswers } from './session-machine.types.ts'
import type { SessionRecord } from './session-record.ts'

export interface Entry {
  /** A typed join code, redeemed once, or a token that an integrator handed over. */
  readonly joinCode?: string
  readonly token?: string
  readonly sessionId?: string
}

/** What both ways in give. */
export interface Joined extends OrgFacts {
  readonly token: string
  readonly sessionId: string
  /** Absent where there is no appointment, or the service says nothing of it. */
  readonly schedule?: SessionRecord['schedule']
  /** Absent where nobody invited, or the service says nothing of it. */
  readonly inviter?: SessionRecord['inviter']
  readonly config: SessionConfig
  readonly callIn: string | undefined
  readonly document: ConsentDocument
}

/** The policy in force. */
export interface Running {
  readonly config: SessionConfig
  readonly policyVersion: number
  readonly callIn: string | undefined
  readonly ended: boolean
}

export type Registered =
  | { readonly kind: 'running'; readonly session: Running }
  /** The candidate was shown an older document than the service asks for now. */
  | { readonly kind: 'document_changed'; readonly config: SessionConfig; readonly document: ConsentDocument }
  /** Ended long ago or erased. */
  | { readonly kind: 'gone' }
  /** The service knows no such session. */
  | { readonly kind: 'not_found' }

/** Answers in a running session; those of the lanes in `standing` stay as they are. */
export interface LaterAnswer {
  readonly document: ConsentDocument
  readonly answers: LaneAnswers
  readonly standing: readonly LaneName[]
  /** Epoch ms. */
  readonly acceptedAt: number
}
