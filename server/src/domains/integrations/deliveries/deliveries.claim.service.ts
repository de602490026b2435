import type { Needs } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Candidates } from './deliveries.candidates.parts.ts'
import { type ClaimedRow, claimDeliveries, type DueRow } from './deliveries.queue.store.ts'

/** A delivery that this process may send until its lease ends. */
export interface Claim {
  readonly scope: Scope
  readonly owner: string
  /** Epoch milliseconds. */
  readonly leaseUntil: number
  readonly delivery: ClaimedRow
}

/** What each line of the log says of a delivery. */
export const namesOf = ({ delivery: { id, eventId, requestId } }: Claim) => ({
  deliveryId: id,
  eventId,
  ...(requestId === null ? {} : { requestId }),
})

export interface ClaimLimits {
  /** Attempts that may begin now. */
  readonly free: number
  /** Attempts that one endpoint may have under way, when so many have been chosen already. */
  readonly shareOf: (endpointId: string, chosen: number) => number
  /** Attempts of this process under way, by endpoint. */
  readonly busy: ReadonlyMap<string, number>
  /** A name that no other claim has, not even one of this process: an attempt that outlasts its lease is not the next one. */
  readonly nextOwner: () => string
  readonly leaseMs: number
}

/** Claims due deliveries of every organisation, for no endpoint more than its share, in one short transaction. */
export const claimDue = async (
  call: Needs<'clock' | 'db'>,
  {
    candidates,
    limits,
    fresh = true,
  }: { readonly candidates: Candidates; readonly limits: ClaimLimits; readonly fresh?: boolean | undefined },
): Promise<Claim[]> => {
  for (;;) {
    const rows = await candidates.choose(limits, fresh)
    if (rows.length === 0) return []
    const now = call.clock.now()
    const lease = { now, owner: limits.nextOwner(), leaseUntil: now + limits.leaseMs }
    const claims = await call.db.transact((tx) => take({ tx, reader: tx }, rows, lease))
    // All of them were taken, held or cancelled since they were seen: there may be others.
    if (claims.length > 0) return claims
  }
}

const take = async (
  call: Needs<'reader' | 'tx'>,
  rows: readonly DueRow[],
  lease: { now: number; owner: string; leaseUntil: number },
): Promise<Claim[]> => {
  const claims: Claim[] = []
  for (const [, group] of Map.groupBy(rows, (row) => `${row.orgId} ${row.environment}`)) {
    const [first] = group
    if (!first) continue
    const scope: Scope = { orgId: first.orgId, environment: first.environment }
    const ids = group.map((row) => row.id)
    for (const delivery of await claimDeliveries(call.tx, scope, ids, lease))
      claims.push({ scope, owner: lease.owner, leaseUntil: lease.leaseUntil, delivery })
  }
  return claims
}
