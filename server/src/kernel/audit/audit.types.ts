import type { AuditAction } from '@integrity/protocol'
import type { Tx } from '../../platform/db/types.ts'
import type { AuditActor } from '../identity/actor.ts'
import type { Scope } from '../identity/scope.ts'
import type { SessionRecord } from './audit.commitments.ts'

/** Who acted, in whose chain, and in which transaction. */
export interface AuditedCall {
  readonly tx: Tx
  readonly scope: Pick<Scope, 'orgId'>
  readonly actor: AuditActor
}

export interface AuditEntry {
  readonly action: AuditAction
  /** Id of what was acted on. */
  readonly target: string
  readonly sessionId?: string | null
  /** Free or personal detail: kept beside the row with a salt, so that it can be erased while the chain holds. */
  readonly payload?: Readonly<Record<string, unknown>>
  /** What the act wrote, as it stands now: the payload commits to each. Empty where it might have, and wrote none. */
  readonly records?: readonly SessionRecord[]
  /** In place of a payload: SHA-256, in hex, of what was written with the row and is in a table of its own. */
  readonly commitsTo?: string
}

export interface ActedEntry extends AuditEntry {
  readonly actor: AuditActor
}

/** Appends to the organisation's hash chain, in the transaction of what it records. */
export interface Audit {
  /** Begins the chain of an organisation whose heads were just inserted, in the transaction that appends its first row. */
  begin(tx: Tx, orgId: string): Promise<void>
  append(call: AuditedCall, entry: AuditEntry): Promise<void>
  /** Signs the end of the chain as it stands and keeps that, unless it is signed already or somebody else wrote the head. */
  sign(tx: Tx, orgId: string): Promise<void>
  /** The same for several entries, each with its actor, in their order and at once. */
  appendAll(call: Omit<AuditedCall, 'actor'>, entries: readonly ActedEntry[]): Promise<void>
}
