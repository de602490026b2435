import {
  type BodyOf,
  billingOf,
  type EndpointMap,
  type PaymentProvider,
  ServiceError,
  selfHosted,
} from '@integrity/protocol'
import type { By, Needs } from '../../kernel/call.ts'
import type { ActorOf } from '../../kernel/identity/actor.ts'
import { type List, type PageQuery, readPage } from '../../kernel/paging.ts'
import type { ChargeRow, CheckoutRow, SubscriptionRow } from '../../platform/payments/types.ts'
import { type OrgPlan, planOf, takesMoney } from '../plans/plans.service.ts'
import { applySubscription } from './applying.service.ts'
import {
  countCharges,
  deleteCheckout,
  findCheckout,
  findSubscription,
  pageOfCharges,
  saveCheckout,
} from './billing.store.ts'
import { paymentsOf } from './payments.service.ts'

type Owner = By<ActorOf<'user'>>
type Asks = Owner & Needs<'clock' | 'config' | 'db' | 'httpOut' | 'reader'>
type Writes = Owner & Needs<'audit' | 'clock' | 'config' | 'reader' | 'tx'>

export interface Standing {
  readonly plan: OrgPlan
  readonly subscription: SubscriptionRow | undefined
  readonly checkout: CheckoutRow | undefined
}

/** The plan of an organisation, and what is paid for it. */
export const standingOf = async (call: Needs<'clock' | 'config' | 'reader'>, orgId: string): Promise<Standing> => ({
  plan: await planOf(call, orgId),
  subscription: await findSubscription(call.reader, orgId),
  checkout: await findCheckout(call.reader, orgId, call.clock.now()),
})

export const listCharges = async (
  call: Needs<'reader'>,
  { orgId, query }: { readonly orgId: string; readonly query: PageQuery },
) => {
  const list: List<ChargeRow> = {
    of: ['charges', orgId],
    kinds: ['number', 'string'],
    keyOf: ({ chargedAt, id }) => [chargedAt, id],
    fetch: (stretch) => pageOfCharges(call.reader, orgId, stretch),
  }
  return { page: await readPage(list, query), total: await countCharges(call.reader, orgId) }
}

/** Nothing is bought where nobody takes money. */
const refuseSelfHosted = (call: Needs<'config'>): void => {
  if (takesMoney(call.config)) return
  throw new ServiceError(
    'service_unavailable',
    `no payment provider is configured here: the plan is ${selfHosted}, without limits, and there is nothing to pay`,
    { extra: { reason: 'not_configured' } },
  )
}

const isRunning = ({ status }: SubscriptionRow): boolean => status !== 'cancelled' && status !== 'pending'

/** The subscription that is paid for, or a refusal that says what to do instead. */
const runningSubscription = async (call: Asks): Promise<SubscriptionRow> => {
  refuseSelfHosted(call)
  const subscription = await findSubscription(call.reader, call.actor.orgId)
  if (subscription && isRunning(subscription)) return subscription
  throw new ServiceError('conflict', 'there is no subscription; open a checkout first', {
    extra: { reason: 'no_subscription' },
  })
}

const providerFor = (call: Needs<'config'>, country: string | undefined): PaymentProvider => {
  const { stripe } = call.config.payment
  return billingOf(country ?? (stripe.key === undefined ? 'IN' : 'US')).provider
}

/** Before the transaction: opens a hosted page, or finds the one that is open for the same wish. */
export const openCheckout = async (
  call: Asks,
  body: BodyOf<EndpointMap['portal.billing.checkout']>,
): Promise<CheckoutRow> => {
  refuseSelfHosted(call)
  const { orgId } = call.actor
  const { plan, interval, seats = 1, country } = body
  const now = call.clock.now()
  const running = await findSubscription(call.reader, orgId)
  if (running && isRunning(running))
    throw new ServiceError('conflict', 'there is a subscription already; change its plan instead', {
      extra: { reason: 'subscribed' },
    })
  const payments = paymentsOf(call, providerFor(call, country))
  const open = await findCheckout(call.reader, orgId, now)
  const isSame = open?.provider === payments.name && open.plan === plan && open.interval === interval
  if (open && isSame && open.seats === seats) return open
  // One wish of a day has one name, so that a lost answer opens no second page.
  const key = [orgId, plan, interval, seats, open?.id ?? 'first', Math.floor(now / 86_400_000)].join(':')
  const { currency } = billingOf(country ?? (payments.name === 'razorpay' ? 'IN' : 'US'))
  const returnTo = `${call.config.baseUrl}/account/`
  const opened = await payments.checkout({ orgId, plan, interval, seats, currency, returnTo, now, key })
  return { ...opened, provider: payments.name, plan, interval, seats }
}

export const keepCheckout = async (call: Writes, checkout: CheckoutRow): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  await saveCheckout(tx, orgId, checkout)
  const { provider, plan, interval, seats } = checkout
  const payload = { provider, plan, interval, seats }
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'billing.checkout_opened', target: orgId, payload },
  )
}

const wishOf = (call: Asks, subscription: SubscriptionRow, wish: string): string =>
  `${subscription.subscriptionId}:${wish}:${Math.floor(call.clock.now() / 60_000)}`

/** What the provider says of it now. */
const readAgain = async (call: Asks, before: SubscriptionRow): Promise<SubscriptionRow> =>
  (await paymentsOf(call, before.provider).read(before.subscriptionId)) ?? { ...before, status: 'cancelled' }

/** Before the transaction: asks the provider for another plan. @returns the subscription as it then is */
export const changePlan = async (
  call: Asks,
  { plan, interval }: BodyOf<EndpointMap['portal.billing.plan']>,
): Promise<SubscriptionRow> => {
  const before = await runningSubscription(call)
  const wanted = { plan, interval: interval ?? before.interval }
  if (wanted.plan === before.plan && wanted.interval === before.interval) return before
  const key = wishOf(call, before, `${plan}.${wanted.interval}`)
  await paymentsOf(call, before.provider).change(before, wanted, key)
  return readAgain(call, before)
}

/** Before the transaction: cancels at the provider. */
export const cancelSubscription = async (call: Asks, when: 'period_end' | 'now'): Promise<SubscriptionRow> => {
  const before = await runningSubscription(call)
  await paymentsOf(call, before.provider).cancel(before, when, wishOf(call, before, `cancel ${when}`))
  const after = await readAgain(call, before)
  // Some do not say in the subscription that it will end.
  return {
    ...after,
    cancelAtPeriodEnd: after.cancelAtPeriodEnd || (when === 'period_end' && after.status !== 'cancelled'),
  }
}

/** Keeps what the provider said, with what was asked for in the audit log. */
export const keepSubscription = async (
  call: Writes,
  {
    action,
    subscription,
  }: { readonly action: 'billing.plan_changed' | 'billing.cancelled'; readonly subscription: SubscriptionRow },
): Promise<Standing> => {
  const { tx, actor } = call
  const { orgId } = actor
  await applySubscription(call, subscription)
  await deleteCheckout(tx, orgId)
  const { plan, interval, status, cancelAtPeriodEnd } = subscription
  const payload = { plan, interval, status, cancelAtPeriodEnd }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action, target: orgId, payload })
  return standingOf({ ...call, reader: tx }, orgId)
}
