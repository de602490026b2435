import { graceDays } from '@integrity/protocol'
import type { PaymentState, SubscriptionReading, SubscriptionRow } from '../../../platform/payments/types.ts'

const day = 86_400_000

/** Whether it is neither over nor only begun, so that it is charged for, or owed. */
export const isRunning = ({ status }: Pick<SubscriptionRow, 'status'>): boolean =>
  status !== 'cancelled' && status !== 'pending'

const owes: ReadonlySet<PaymentState> = new Set(['past_due', 'unpaid'])

/** What provider and row say of the end. Razorpay does not say that a subscription will end; only who asked for it knows. */
const endOf = (reading: SubscriptionReading, before: SubscriptionRow | undefined, status: PaymentState) => {
  const { cancelAt, cancelAtPeriodEnd, periodStart } = reading
  if (reading.provider !== 'razorpay' || !before?.cancelAtPeriodEnd || status === 'cancelled')
    return { cancelAt, cancelAtPeriodEnd }
  // A cycle that began behind the end that was asked for was paid for: it goes on after all.
  const goesOn = before.cancelAt !== null && periodStart !== null && periodStart >= before.cancelAt
  return goesOn ? { cancelAt, cancelAtPeriodEnd } : { cancelAt: before.cancelAt, cancelAtPeriodEnd: true }
}

/**
 * The row after an answer of the provider. What the answer does not say, or not so that it is understood (a price without its
 * name, a state that came later), stays as it was; undefined where nothing was known before either.
 */
export const rowAfter = (
  reading: SubscriptionReading,
  {
    before,
    orgId,
    now,
  }: { readonly before: SubscriptionRow | undefined; readonly orgId: string; readonly now: number },
): SubscriptionRow | undefined => {
  const wanted = reading.bought ?? before ?? reading.named
  const status = reading.status ?? before?.status
  if (!wanted || !status) return undefined
  const { provider, subscriptionId, seats } = reading
  return {
    orgId,
    provider,
    subscriptionId,
    seats,
    status,
    plan: wanted.plan,
    interval: wanted.interval,
    customerId: reading.customerId ?? before?.customerId ?? null,
    itemId: reading.itemId ?? before?.itemId ?? null,
    periodStart: reading.periodStart ?? before?.periodStart ?? null,
    periodEnd: reading.periodEnd ?? before?.periodEnd ?? null,
    ...endOf(reading, before, status),
    overdueSince: owes.has(status) ? (before?.overdueSince ?? now) : null,
    unpaidSince: owes.has(status) ? (before?.unpaidSince ?? (status === 'unpaid' ? now : null)) : null,
    version: (before?.version ?? 0) + 1,
  }
}

const none = Number.POSITIVE_INFINITY

/** When the plan ends that is owed for; null where nothing is owed. */
export const graceEnd = ({ overdueSince, unpaidSince }: SubscriptionRow): number | null => {
  if (overdueSince === null) return null
  const givenUp = unpaidSince === null ? none : unpaidSince + graceDays.givenUp * day
  return Math.min(overdueSince + graceDays.retrying * day, givenUp)
}

/**
 * Until when a subscription gives its plan, as far as is known now; null: it does not. Of a provider that says nothing any more
 * the end of the paid period counts, and a grace behind it.
 */
export const givesUntil = (row: SubscriptionRow, now: number): number | null => {
  if (row.status !== 'active' && !owes.has(row.status)) return null
  const { cancelAt, cancelAtPeriodEnd, periodEnd } = row
  const atPeriodEnd = cancelAtPeriodEnd && periodEnd !== null && periodEnd > now ? periodEnd : none
  const silent = Math.max(periodEnd ?? now, now) + graceDays.silent * day
  const until = Math.min(cancelAt ?? atPeriodEnd, graceEnd(row) ?? silent)
  return until > now ? until : null
}
