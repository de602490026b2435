import type { AuditAction } from '@integrity/protocol'
import type { Tx } from '../../platform/db/types.ts'
import type { AuditActor } from '../actor.ts'

export interface AuditEntry {
  readonly actor: AuditActor
  readonly action: AuditAction
  /** Id of what was acted on. */
  readonly target: string
  readonly sessionId?: string | null
  /** Free or personal detail: kept beside the row with a salt, so that it can be erased while the chain holds. */
  readonly payload?: Readonly<Record<string, unknown>>
}

/** Appends to the organisation's hash chain, in the transaction of what it records. */
export interface Audit {
  append(tx: Tx, orgId: string, entry: AuditEntry): Promise<void>
  /** The same for several entries, in their order and at once. */
  appendAll(tx: Tx, orgId: string, entries: readonly AuditEntry[]): Promise<void>
}
