import type { PlanName } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import { givePlanUntil } from './plans.service.ts'

/**
 * Puts an organisation on a plan that was agreed upon with people, from now on and without an end; `free` takes it away. What
 * is paid for besides counts as well: the better plan is in force.
 */
export const agreePlan = async (
  call: By & Needs<'audit' | 'clock' | 'tx'>,
  {
    orgId,
    plan,
    retentionDays,
  }: { readonly orgId: string; readonly plan: PlanName; readonly retentionDays: number | null },
): Promise<void> => {
  const { tx, actor, clock } = call
  const source = { orgId, provider: 'agreed', subscriptionId: 'agreed', customerId: null } as const
  const given = plan === 'free' ? undefined : plan
  await givePlanUntil(call, { ...source, plan: given, seats: 0, since: clock.now(), untilAt: null, retentionDays })
  const payload = { plan, retentionDays }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'billing.plan_agreed', target: orgId, payload })
}
