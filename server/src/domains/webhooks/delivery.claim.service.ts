import type { AppContext } from '../../app/context.ts'
import type { Tx } from '../../platform/db/types.ts'
import { claimDelivery, type DueRow, findDueAcrossOrgs, finishClaimed, retryClaimed } from './delivery.queue.store.ts'
import type { Claim } from './delivery.service.ts'
import { type EndpointRow, findEndpoint } from './webhooks.store.ts'

export interface ClaimLimits {
  /** Attempts that may begin now. */
  readonly free: number
  /** Attempts that one endpoint may have under way. */
  readonly shareOf: (endpointId: string) => number
  /** Attempts of this process under way, by endpoint. */
  readonly busy: ReadonlyMap<string, number>
  readonly owner: string
  readonly leaseMs: number
}

const SCAN = 500

/** Chooses among due rows so that no endpoint gets more than its share; counts what it gives in `taken`. */
const choose = (due: readonly DueRow[], limits: ClaimLimits, taken: Map<string, number>, free: number): DueRow[] => {
  const chosen: DueRow[] = []
  for (const row of due) {
    if (chosen.length >= free) break
    const used = taken.get(row.endpointId) ?? 0
    if (used >= limits.shareOf(row.endpointId)) continue
    taken.set(row.endpointId, used + 1)
    chosen.push(row)
  }
  return chosen
}

/**
 * Claims due deliveries of every organisation in one short transaction. Endpoints that have their share under way are
 * left out of the search, so the backlog of a slow one hides nobody behind it.
 */
export const claimDue = async (app: AppContext, limits: ClaimLimits): Promise<Claim[]> => {
  const now = app.clock.now()
  const taken = new Map(limits.busy)
  const chosen: DueRow[] = []
  while (chosen.length < limits.free) {
    const except = [...taken].filter(([id, used]) => used >= limits.shareOf(id)).map(([id]) => id)
    const due = await findDueAcrossOrgs(app.db.reader, { now, except, limit: SCAN })
    const known = new Set(chosen.map((row) => row.id))
    const fresh = due.filter((row) => !known.has(row.id))
    chosen.push(...choose(fresh, limits, taken, limits.free - chosen.length))
    if (due.length < SCAN) break
  }
  if (chosen.length === 0) return []
  return app.db.transact((tx) => take(tx, chosen, { now, owner: limits.owner, leaseUntil: now + limits.leaseMs }))
}

const take = async (
  tx: Tx,
  rows: readonly DueRow[],
  args: { now: number; owner: string; leaseUntil: number },
): Promise<Claim[]> => {
  const endpoints = new Map<string, EndpointRow | undefined>()
  const claims: Claim[] = []
  for (const { id, endpointId, ...scope } of rows) {
    const delivery = await claimDelivery(tx, scope, id, args)
    if (!delivery) continue
    if (!endpoints.has(endpointId)) endpoints.set(endpointId, await findEndpoint(tx, scope, endpointId))
    const endpoint = endpoints.get(endpointId)
    const claim = { id, owner: args.owner }
    // Rarely: an attempt was under way when its endpoint was deleted or disabled, and its process died.
    if (!endpoint) {
      const end = { status: 'cancelled', attempts: delivery.attemptCount, now: args.now } as const
      await finishClaimed(tx, scope, claim, end)
    } else if (endpoint.status === 'disabled')
      await retryClaimed(tx, scope, claim, { attempts: delivery.attemptCount, at: args.now, hold: true })
    else claims.push({ scope, owner: args.owner, delivery, endpoint })
  }
  return claims
}
