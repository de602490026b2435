import { type limitNames, type limitStates, warnShare } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import { keptBytes } from '../evidence/usage.service.ts'
import { memberCounts } from '../people/memberships.service.ts'
import { limitsOf, type OrgPlan, planOf } from '../plans/plans.service.ts'
import { rulesOf } from '../retention-rules/retention-rules.service.ts'
import { sessionsOfMonth } from '../sessions/sessions.month.service.ts'

export interface Entitlement {
  readonly name: (typeof limitNames)[number]
  readonly limit: number | null
  readonly used: number
  readonly state: (typeof limitStates)[number]
}

const stateOf = (limit: number | null, used: number): Entitlement['state'] => {
  if (limit === null || used < limit * warnShare) return 'ok'
  return used < limit ? 'warn' : 'block'
}

/** The limits of an organisation's plan and what is used of them: kept counts. */
export const entitlementsOf = async (
  call: Needs<'clock' | 'config' | 'reader'>,
  orgId: string,
): Promise<{ plan: OrgPlan; items: Entitlement[] }> => {
  const plan = await planOf(call, orgId)
  const limits = limitsOf(plan)
  const item = (name: Entitlement['name'], limit: number | null, used: number): Entitlement => ({
    ...{ name, limit, used, state: stateOf(limit, used) },
  })
  const { inForceDays } = await rulesOf(call, orgId)
  return {
    plan,
    items: [
      item('sessions', limits.sessionsPerMonth, await sessionsOfMonth(call, { orgId, at: call.clock.now() })),
      item('storage_bytes', limits.storageBytes, await keptBytes(call, orgId)),
      item('members', limits.members, (await memberCounts(call, orgId)).active),
      // A window is held to its ceiling, not used up.
      { name: 'retention_days', limit: limits.retentionDays, used: inForceDays, state: 'ok' },
    ],
  }
}
