import { noLimits, type PlanLimits, type PlanName, plans, ServiceError, selfHosted } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import type { Config } from '../../kernel/config.ts'
import { findPlan, savePlan } from './plans.store.ts'

export type OrgPlan = PlanName | typeof selfHosted

/** Whether anybody takes money here. Without, there are no plans and no limits. */
export const takesMoney = ({ payment: { stripe, razorpay } }: Pick<Config, 'payment'>): boolean =>
  stripe.key !== undefined || razorpay.keyId !== undefined

export const planOf = async (call: Needs<'config' | 'reader'>, orgId: string): Promise<OrgPlan> =>
  takesMoney(call.config) ? ((await findPlan(call.reader, orgId)) ?? 'free') : selfHosted

export const limitsOf = (plan: OrgPlan): PlanLimits => (plan === selfHosted ? noLimits : plans[plan].limits)

/** Whether sessions beyond the plan are charged for, and so never refused. */
export const isMetered = (plan: OrgPlan): boolean => plan !== selfHosted && plans[plan].metered

export const setPlan = (
  { tx }: Needs<'tx'>,
  { orgId, plan }: { readonly orgId: string; readonly plan: PlanName },
): Promise<void> => savePlan(tx, orgId, plan)

const words = {
  sessions: 'sessions of this month are used up; an upgrade of the plan, or the next month, opens more',
  members: 'seats of the plan are taken; deactivate a member or upgrade the plan',
} as const

/** Refuses one more of what a plan has so many of. Nothing that is there already is ever touched. */
export const refuseBeyondPlan = async (
  call: Needs<'config' | 'reader'>,
  {
    orgId,
    name,
    count,
  }: { readonly orgId: string; readonly name: keyof typeof words; readonly count: () => Promise<number> },
): Promise<void> => {
  const plan = await planOf(call, orgId)
  const { sessionsPerMonth, members } = limitsOf(plan)
  const limit = name === 'sessions' ? sessionsPerMonth : members
  if (limit === null || (name === 'sessions' && isMetered(plan))) return
  const used = await count()
  if (used < limit) return
  throw new ServiceError('conflict', `all ${limit} ${words[name]}`, {
    extra: { reason: 'plan_limit', limit: { name, limit, used, plan } },
  })
}
