import { billingOf, type PaymentProvider, planNames, plans } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { ChargeRow, CheckoutRow, PaymentState } from '../../../platform/payments/types.ts'
import type { Standing } from './standing.service.ts'

export const ladderView = (country: string) => {
  const { currency, provider } = billingOf(country)
  return {
    country,
    currency,
    provider,
    items: planNames.map((plan) => {
      const { limits, prices, metered } = plans[plan]
      const [month, year] = prices?.[currency] ?? []
      return {
        plan,
        limits,
        metered,
        prices: month === undefined || year === undefined ? null : { month, year },
      }
    }),
  }
}

export const statusView = (lackOf: (provider: PaymentProvider) => string | null) => ({
  legs: (
    [
      ['india', 'razorpay'],
      ['world', 'stripe'],
    ] as const
  ).map(([leg, provider]) => ({ leg, provider, configured: lackOf(provider) === null, reason: lackOf(provider) })),
})

/** That the provider has given up is a charge that is owed like any other; when the plan ends is beside it. */
const shown = (status: PaymentState) => (status === 'unpaid' ? 'past_due' : status)

export const standingView = ({ plan, subscription, seats, graceEndsAt, others, checkout }: Standing) => ({
  plan,
  provider: subscription?.provider ?? null,
  status: subscription ? shown(subscription.status) : null,
  interval: subscription?.interval ?? null,
  seats,
  currentPeriodStart: isoOrNull(subscription?.periodStart ?? null),
  currentPeriodEnd: isoOrNull(subscription?.periodEnd ?? null),
  cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
  graceEndsAt: isoOrNull(graceEndsAt),
  others: others.map((one) => ({
    provider: one.provider,
    id: one.subscriptionId,
    plan: one.plan,
    status: shown(one.status),
    currentPeriodEnd: isoOrNull(one.periodEnd),
  })),
  checkout: checkout
    ? { plan: checkout.plan, interval: checkout.interval, url: checkout.url, expiresAt: iso(checkout.expiresAt) }
    : null,
})

export const checkoutView = ({ provider, url, expiresAt }: CheckoutRow) => ({
  provider,
  url,
  expiresAt: iso(expiresAt),
})

export const chargeView = ({ chargedAt, periodStart, periodEnd, ...charge }: ChargeRow) => ({
  ...charge,
  chargedAt: iso(chargedAt),
  periodStart: isoOrNull(periodStart),
  periodEnd: isoOrNull(periodEnd),
})
