import type { Needs } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import type { SubscriptionRow } from '../../../platform/payments/types.ts'
import { givePlanUntil, planOf, spansNow } from '../../organisation/plans/plans.service.ts'
import { givesUntil } from './subscriptions.model.ts'
import { saveSubscription } from './subscriptions.store.ts'

export type Applies = Needs<'audit' | 'clock' | 'config' | 'jobs' | 'requestId' | 'tx'>

const told = ({ plan, interval, status, seats, cancelAtPeriodEnd }: SubscriptionRow) => ({
  plan,
  interval,
  status,
  seats,
  cancelAtPeriodEnd,
})
const isSame = (a: SubscriptionRow, b: SubscriptionRow): boolean => JSON.stringify(told(a)) === JSON.stringify(told(b))

/** Says to the organisation what the provider has changed: in its audit trail, and by mail where it pays twice. */
const tell = async (
  call: Applies,
  row: SubscriptionRow,
  { before, from, paidBefore }: { before: SubscriptionRow | undefined; from: string; paidBefore: number },
): Promise<void> => {
  const { tx } = call
  const { orgId, provider, subscriptionId } = row
  const by = { tx, scope: { orgId }, actor: system }
  const of = { provider, subscriptionId }
  const planAfter = await planOf({ ...call, reader: tx }, orgId)
  const isNews = before ? !isSame(before, row) : row.status !== 'pending'
  if (isNews || from !== planAfter) {
    const payload = {
      ...of,
      ...told(row),
      ...(before && { before: told(before) }),
      organisation: { from, to: planAfter },
    }
    await call.audit.append(by, { action: 'billing.subscription_changed', target: orgId, payload })
  }
  const paid = (await spansNow({ ...call, reader: tx }, orgId)).filter((span) => span.provider !== 'agreed')
  if (paid.length < 2 || paid.length <= paidBefore) return
  const subscriptions = paid.map((span) => ({ provider: span.provider, id: span.subscriptionId, plan: span.plan }))
  await call.audit.append(by, { action: 'billing.several_subscriptions', target: orgId, payload: { subscriptions } })
  const scope = { orgId, environment: 'live' } as const
  await call.jobs.enqueue({ ...call, scope }, { kind: 'billing.tell_several', payload: { orgId } })
}

/**
 * Takes over what a provider says of a subscription: the plan of its organisation follows from all that it has.
 * @returns false where a newer answer was kept since `row.version` was read, so that it has to be asked again
 */
export const applySubscription = async (
  call: Applies,
  {
    row,
    before,
    since,
  }: { readonly row: SubscriptionRow; readonly before: SubscriptionRow | undefined; readonly since: number },
): Promise<boolean> => {
  const { tx } = call
  const { orgId, provider, subscriptionId, customerId, plan, seats } = row
  const now = call.clock.now()
  const reads = { ...call, reader: tx }
  if (!(await saveSubscription(tx, row, now))) return false
  const from = await planOf(reads, orgId)
  const paidBefore = (await spansNow(reads, orgId)).filter((span) => span.provider !== 'agreed').length
  const untilAt = givesUntil(row, now)
  const given = { orgId, provider, subscriptionId, customerId, seats, since, untilAt }
  await givePlanUntil(call, { ...given, plan: untilAt === null ? undefined : plan })
  await tell(call, row, { before, from, paidBefore })
  return true
}
