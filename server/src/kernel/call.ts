import type { Tx } from '../platform/db/types.ts'
import type { AuditActor } from './identity/actor.ts'
import type { Cause } from './identity/cause.ts'
import type { Parts } from './parts.ts'

/**
 * What a service asks of its call: the parts it uses, and where it acts. Whoever has more hands the same object on;
 * another organisation, transaction or actor is `{ ...call, scope }`.
 */
export type Needs<K extends keyof Parts | keyof Cause> = Pick<Parts & Cause, K>

/** Reads rows of one organisation and environment. */
export type Reads = Needs<'reader' | 'scope'>

/** Writes rows of one organisation and environment; its reads see what it has written. */
export type Writes = Needs<'tx' | 'reader' | 'scope' | 'requestId'>

/** Who acts. */
export interface By<A extends AuditActor = AuditActor> {
  readonly actor: A
}

/** A change by somebody, with what every change needs: its audit row, its events, ids, time and jobs. */
export type WriteCall<A extends AuditActor = AuditActor> = Writes &
  By<A> &
  Needs<'audit' | 'outbox' | 'jobs' | 'newId' | 'clock'>

/** What a row keeps of what it goes back to. */
export const causeOf = ({ requestId, traces }: Needs<'requestId' | 'traces'>) => ({
  requestId: requestId ?? null,
  traceparent: traces.here(requestId),
})

/** The same call inside a transaction. */
export const inTx = <C extends object>(call: C, tx: Tx): C & { readonly tx: Tx; readonly reader: Tx } => ({
  ...call,
  tx,
  reader: tx,
})
