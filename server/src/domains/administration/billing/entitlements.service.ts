import { type limitNames, type limitStates, warnShare } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { sessionsOfMonth } from '../../interviews/sessions/lists/sessions.month.service.ts'
import { memberCounts } from '../../organisation/people/memberships.service.ts'
import { isMetered, type OrgPlan, planInForce } from '../../organisation/plans/plans.service.ts'
import { rulesOf } from '../../organisation/retention-rules/retention-rules.service.ts'
import { keptBytes } from '../../recording/evidence/usage.service.ts'

export interface Entitlement {
  readonly name: (typeof limitNames)[number]
  readonly limit: number | null
  readonly used: number
  readonly state: (typeof limitStates)[number]
}

const stateOf = (limit: number | null, used: number, isRefused: boolean): Entitlement['state'] => {
  if (limit === null || used < limit * warnShare) return 'ok'
  return used < limit || !isRefused ? 'warn' : 'block'
}

/** The limits of an organisation's plan and what is used of them: kept counts. `block` says that a new one is refused. */
export const entitlementsOf = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  orgId: string,
): Promise<{ plan: OrgPlan; items: Entitlement[] }> => {
  const { plan, limits } = await planInForce(call, orgId)
  const item = (name: Entitlement['name'], limit: number | null, used: number, isRefused = true): Entitlement => ({
    name,
    limit,
    used,
    state: stateOf(limit, used, isRefused),
  })
  const { inForceDays } = await rulesOf(call, orgId)
  const sessions = await sessionsOfMonth(call, { orgId, at: call.clock.now() })
  return {
    plan,
    items: [
      // Beyond a metered plan sessions are charged for.
      item('sessions', limits.sessionsPerMonth, sessions, !isMetered(plan)),
      item('storage_bytes', limits.storageBytes, await keptBytes(call, orgId)),
      item('members', limits.members, (await memberCounts(call, orgId)).active),
      // A longer window is stored, and capped.
      item('retention_days', limits.retentionDays, inForceDays, false),
    ],
  }
}
