import { plans } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import type { ChargeRow, SubscriptionRow } from '../../platform/payments/types.ts'
import { setPlan } from '../plans/plans.service.ts'
import { setCeilingDays } from '../retention-rules/retention-rules.service.ts'
import { deleteCheckout, findSubscription, saveCharge, saveSubscription } from './billing.store.ts'

/** A failed charge is tried again by the provider; until it gives up the plan stays. */
const entitled: ReadonlySet<SubscriptionRow['status']> = new Set(['active', 'past_due'])

/**
 * Takes over what a provider says of a subscription: the plan follows from it. One that is not the organisation's
 * present one counts only once it is paid for.
 */
export const applySubscription = async (call: Needs<'clock' | 'tx'>, subscription: SubscriptionRow): Promise<void> => {
  const { tx } = call
  const { orgId, status, plan } = subscription
  const before = await findSubscription(tx, orgId)
  const isOther = before !== undefined && before.subscriptionId !== subscription.subscriptionId
  if (isOther && !entitled.has(status)) return
  // Razorpay does not say that a subscription will end, and none that was told to end goes on.
  const willEnd = before?.cancelAtPeriodEnd === true && !isOther && status !== 'cancelled'
  const cancelAtPeriodEnd = subscription.cancelAtPeriodEnd || (subscription.provider === 'razorpay' && willEnd)
  await saveSubscription(tx, { ...subscription, cancelAtPeriodEnd }, call.clock.now())
  const has = entitled.has(status) ? plan : 'free'
  await setPlan({ tx }, { orgId, plan: has })
  await setCeilingDays({ tx }, { orgId, ceilingDays: plans[has].limits.retentionDays })
  if (entitled.has(status)) await deleteCheckout(tx, orgId)
}

export const keepCharges = async (
  { tx }: Needs<'tx'>,
  { orgId, charges }: { readonly orgId: string; readonly charges: readonly ChargeRow[] },
): Promise<void> => {
  for (const charge of charges) await saveCharge(tx, orgId, charge)
}
