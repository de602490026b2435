import { type BodyOf, billingOf, type EndpointMap, invalid, plans, ServiceError, selfHosted } from '@integrity/protocol'
import type { By, Needs } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { planPage } from '../../../kernel/page-links.ts'
import { PaymentFailed } from '../../../platform/payments/call-provider.ts'
import type { CheckoutRow, SubscriptionRow } from '../../../platform/payments/types.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { takesMoney } from '../../organisation/plans/plans.service.ts'
import { findCountry, saveCountry } from './billing.store.ts'
import { lookAtPage } from './pages.service.ts'
import { listPages, savePage } from './pages.store.ts'
import { paymentsOf } from './payments.service.ts'
import { type Known, type Refreshes, takeSubscription } from './refreshing.service.ts'
import { type Standing, standingOf, subscriptionsInOrder } from './standing.service.ts'
import { isRunning } from './subscriptions.model.ts'
import { endWish, sendWish, type Wish, wishFor } from './wishes.service.ts'

type Owner = By<ActorOf<'user'>>
type Asks = Owner & Refreshes & Needs<'newId'>
type Writes = Owner & Needs<'audit' | 'clock' | 'config' | 'tx'>

/** Nothing is bought where nobody takes money. */
const refuseSelfHosted = (call: Needs<'config'>): void => {
  if (takesMoney(call.config)) return
  throw new ServiceError(
    'service_unavailable',
    `no payment provider is configured here: the plan is ${selfHosted}, without limits, and there is nothing to pay`,
    { extra: { reason: 'not_configured' } },
  )
}

const countingOf = async (call: Asks): Promise<SubscriptionRow | undefined> => {
  const [first] = (await subscriptionsInOrder(call, call.actor.orgId)).rows
  return first && isRunning(first) ? first : undefined
}

/** The subscription that is paid for and counts, or a refusal that says what to do instead. */
const runningSubscription = async (call: Asks): Promise<SubscriptionRow> => {
  refuseSelfHosted(call)
  const subscription = await countingOf(call)
  if (subscription) return subscription
  throw new ServiceError('conflict', 'there is no subscription; open a checkout first', {
    extra: { reason: 'no_subscription' },
  })
}

const refuseSubscribed = async (call: Asks): Promise<void> => {
  const running = await countingOf(call)
  if (!running) return
  const instead =
    running.status === 'active' ? 'change its plan instead' : 'pay what is owed for it, or cancel it first'
  throw new ServiceError('conflict', `there is a subscription already; ${instead}`, { extra: { reason: 'subscribed' } })
}

type Checkout = BodyOf<EndpointMap['portal.billing.checkout']>

/** A plan holds so many members for its price; who needs more buys a larger one. */
const refuseSeats = ({ plan, seats = 1 }: Checkout): void => {
  const { members: limit } = plans[plan].limits
  if (seats <= limit) return
  throw new ServiceError('conflict', `the plan ${plan} holds ${limit} members; choose one that holds ${seats}`, {
    extra: { reason: 'plan_limit', limit: { name: 'members', limit, used: seats, plan } },
  })
}

const countryFor = async (call: Asks, { country }: Checkout): Promise<string> => {
  const known = country ?? (await findCountry(call.reader, call.actor.orgId))
  if (known !== undefined) return known
  throw invalid('country', 'is needed the first time: it decides who takes the money, and in which currency')
}

export interface Opened {
  readonly page: CheckoutRow
  readonly country: string
  /** Absent for a page that was open already. */
  readonly wish?: Wish
}

/** Before the transaction: opens a hosted page, or finds the one that is open for the same wish. */
export const openCheckout = async (call: Asks, body: Checkout): Promise<Opened> => {
  refuseSelfHosted(call)
  refuseSeats(body)
  const { orgId } = call.actor
  const { plan, interval, seats = 1 } = body
  const country = await countryFor(call, body)
  await refuseSubscribed(call)
  const { provider, currency } = billingOf(country)
  const payments = paymentsOf(call, provider)
  const now = call.clock.now()
  for (const page of await listPages(call.reader, orgId, now)) {
    const isSame =
      page.provider === provider && page.plan === plan && page.interval === interval && page.seats === seats
    // Somebody may have paid on it, which nobody has told of yet.
    if (isSame && (await lookAtPage(call, { ...page, orgId })) === 'open') return { page, country }
  }
  await refuseSubscribed(call)
  const of = { orgId, wanted: ['checkout', provider, plan, interval, seats, currency].join(' ') }
  const returnTo = planPage(call, (await getOrg(call, orgId)).slug)
  const wish = await wishFor(call, {
    ...of,
    make: (key) => payments.checkoutRequest({ orgId, plan, interval, currency, returnTo, now, key }),
  })
  const opened = await sendWish(call, { wish, send: () => payments.checkout(wish.request, wish.key) })
  return { page: { ...opened, provider, plan, interval, seats }, country, wish }
}

export const keepCheckout = async (call: Writes, { page, country, wish }: Opened): Promise<void> => {
  const { tx, actor } = call
  const { orgId } = actor
  const { provider, plan, interval, seats } = page
  await savePage(tx, orgId, page, call.clock.now())
  await saveCountry(tx, orgId, country)
  if (wish) await endWish(call, wish)
  const payload = { provider, plan, interval, seats }
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'billing.checkout_opened', target: orgId, payload },
  )
}

/** What came of a change at the provider. */
export interface Changed {
  readonly subscription: SubscriptionRow
  /** Absent where nothing had to be asked for. */
  readonly wish?: Wish
}

/** What the provider says after it has done something: if it cannot be asked right now, a job asks later. */
const takenAfter = async (call: Asks, before: SubscriptionRow, known: Known = {}): Promise<SubscriptionRow> => {
  const { orgId, provider, subscriptionId } = before
  try {
    return (await takeSubscription(call, { ...before, known })) ?? before
  } catch (error) {
    if (!(error instanceof PaymentFailed)) throw error
    const payload = { provider, subscriptionId, ...(known.willEnd && { willEnd: true }) }
    const scope = { orgId, environment: 'live' } as const
    await call.db.transact((tx) => call.jobs.enqueue({ ...call, tx, scope }, { kind: 'billing.refresh', payload }))
    return before
  }
}

/** Before the transaction: asks the provider for another plan. */
export const changePlan = async (
  call: Asks,
  { plan, interval }: BodyOf<EndpointMap['portal.billing.plan']>,
): Promise<Changed> => {
  const before = await runningSubscription(call)
  const { provider, subscriptionId, orgId } = before
  const wanted = { plan, interval: interval ?? before.interval }
  if (wanted.plan === before.plan && wanted.interval === before.interval) return { subscription: before }
  const payments = paymentsOf(call, provider)
  const of = { orgId, wanted: ['change', provider, subscriptionId, wanted.plan, wanted.interval].join(' ') }
  const wish = await wishFor(call, { ...of, make: () => payments.changeRequest(subscriptionId, wanted) })
  await sendWish(call, { wish, send: () => payments.change(subscriptionId, wish.request, wish.key) })
  return { subscription: await takenAfter(call, before), wish }
}

/** Before the transaction: cancels at the provider. One that has ended there meanwhile is as good as cancelled. */
export const cancelSubscription = async (call: Asks, when: 'period_end' | 'now'): Promise<Changed> => {
  const before = await runningSubscription(call)
  const { provider, subscriptionId, orgId } = before
  const of = { orgId, wanted: ['cancel', provider, subscriptionId, when].join(' ') }
  const wish = await wishFor(call, { ...of, make: () => Promise.resolve({ when }) })
  try {
    await sendWish(call, { wish, send: () => paymentsOf(call, provider).cancel(subscriptionId, when, wish.key) })
  } catch (error) {
    if (!(error instanceof PaymentFailed && error.isFinal)) throw error
    const subscription = (await takeSubscription(call, before)) ?? before
    if (subscription.status !== 'cancelled') throw error
    return { subscription, wish }
  }
  return { subscription: await takenAfter(call, before, { willEnd: when === 'period_end' }), wish }
}

/** Keeps what was asked for in the audit log; what the provider said of it is kept already. */
export const keepChange = async (
  call: Writes,
  {
    action,
    changed: { subscription, wish },
  }: { readonly action: 'billing.plan_changed' | 'billing.cancelled'; readonly changed: Changed },
): Promise<Standing> => {
  const { tx, actor } = call
  const { orgId } = actor
  if (wish) await endWish(call, wish)
  const { plan, interval, status, cancelAtPeriodEnd } = subscription
  const payload = { plan, interval, status, cancelAtPeriodEnd }
  await call.audit.append({ tx, scope: { orgId }, actor }, { action, target: orgId, payload })
  return standingOf({ ...call, reader: tx }, orgId)
}
