import { type BoughtPlan, boughtPlans, type Interval, intervals } from '@integrity/protocol'
import * as z from 'zod'
import type { ChargeRow, PaymentState, SubscriptionReading, WantedPlan } from './types.ts'

/** Prices and the meter are made once, in the provider's own pages: docs/operating/money.md. */
export const meterEvent = 'integrity_sessions_beyond_plan'
export const lookupKeyOf = (plan: BoughtPlan, interval: Interval): string => `integrity_${plan}_${interval}`
/** The price of a session beyond the plan, by the meter. */
export const beyondKeyOf = (interval: Interval): string => `${meterEvent}_${interval}`
const beyondKeys: ReadonlySet<string> = new Set(intervals.map(beyondKeyOf))

const seconds = z.number().transform((at) => at * 1000)
const instant = seconds.nullish()
/** What is written down with everything that is bought. */
export const ofOrg = z.looseObject({
  org: z.string().optional(),
  plan: z.unknown().optional(),
  interval: z.unknown().optional(),
})

export const subscriptionShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  customer: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  cancel_at_period_end: z.boolean().nullish(),
  cancel_at: instant,
  start_date: instant,
  created: instant,
  metadata: ofOrg.nullish(),
  items: z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        quantity: z.number().nullish(),
        current_period_start: instant,
        current_period_end: instant,
        price: z.looseObject({ lookup_key: z.string().nullish() }),
      }),
    ),
  }),
})
type Shape = z.output<typeof subscriptionShape>
export type Item = Shape['items']['data'][number]

/** A state that is not here is one that came later: it is not taken for another. */
const states: Readonly<Record<string, PaymentState>> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  incomplete: 'pending',
  paused: 'paused',
  canceled: 'cancelled',
  incomplete_expired: 'cancelled',
}

const planOfKey = (key: string | null | undefined): WantedPlan | undefined => {
  for (const plan of boughtPlans)
    for (const interval of intervals) if (key === lookupKeyOf(plan, interval)) return { plan, interval }
  return undefined
}
const namedIn = (metadata: Shape['metadata']): WantedPlan | undefined => {
  const plan = boughtPlans.find((name) => name === metadata?.plan)
  const interval = intervals.find((name) => name === metadata?.interval)
  return plan && interval && { plan, interval }
}

export const isBeyond = ({ price }: Item): boolean => beyondKeys.has(price.lookup_key ?? '')

/** The item that has the price of the plan; an old price has lost its lookup key to the new one. */
export const planItem = (items: readonly Item[]): Item | undefined =>
  items.find(({ price }) => planOfKey(price.lookup_key)) ?? items.find((item) => !isBeyond(item))

export const readingOf = (given: unknown): SubscriptionReading => {
  const { id, status, customer, metadata, items, ...read } = subscriptionShape.parse(given)
  const item = planItem(items.data)
  const cancelAt = read.cancel_at ?? null
  return {
    provider: 'stripe',
    subscriptionId: id,
    itemId: item?.id ?? null,
    orgId: metadata?.org,
    customerId: typeof customer === 'object' ? (customer?.id ?? null) : (customer ?? null),
    bought: planOfKey(item?.price.lookup_key),
    named: namedIn(metadata),
    status: states[status],
    seats: item?.quantity ?? 1,
    startedAt: read.start_date ?? read.created ?? null,
    periodStart: item?.current_period_start ?? null,
    periodEnd: item?.current_period_end ?? null,
    // Their own pages set the time alone, and what asks for the period's end sets both.
    cancelAtPeriodEnd: read.cancel_at_period_end === true || cancelAt !== null,
    cancelAt,
  }
}

const invoiceStates: Readonly<Record<string, ChargeRow['status']>> = {
  draft: 'open',
  open: 'open',
  paid: 'paid',
  void: 'void',
  uncollectible: 'failed',
}
const invoices = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string().nullish(),
      total: z.number().int(),
      currency: z.string(),
      created: seconds,
      period_start: instant,
      period_end: instant,
      hosted_invoice_url: z.string().nullish(),
    }),
  ),
})

export const chargesIn = (answer: unknown): ChargeRow[] =>
  invoices.parse(answer).data.map((one) => ({
    id: one.id,
    provider: 'stripe' as const,
    amount: one.total,
    currency: one.currency.toUpperCase(),
    status: invoiceStates[one.status ?? 'open'] ?? 'open',
    chargedAt: one.created,
    periodStart: one.period_start ?? null,
    periodEnd: one.period_end ?? null,
    url: one.hosted_invoice_url ?? null,
  }))

export const pricesShape = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })
export const sessionShape = z.looseObject({ status: z.string().nullish(), subscription: z.string().nullish() })
export const openedShape = z.looseObject({ id: z.string(), url: z.string(), expires_at: seconds })
export const metersShape = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), event_name: z.string() })),
})
export const summariesShape = z.looseObject({ data: z.array(z.looseObject({ aggregated_value: z.number() })) })

const details = z.looseObject({ subscription: z.string().nullish(), metadata: ofOrg.nullish() })
export const eventShape = z.looseObject({
  id: z.string(),
  livemode: z.boolean().optional(),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().optional(),
      object: z.string().optional(),
      subscription: z.string().nullish(),
      client_reference_id: z.string().nullish(),
      metadata: ofOrg.nullish(),
      parent: z.looseObject({ subscription_details: details.nullish() }).nullish(),
    }),
  }),
})
