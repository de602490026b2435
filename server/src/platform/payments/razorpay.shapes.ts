import { boughtPlans, intervals } from '@integrity/protocol'
import * as z from 'zod'
import type { ChargeRow, PaymentState, SubscriptionReading, WantedPlan } from './types.ts'

const at = z
  .number()
  .nullish()
  .transform((seconds) => (seconds ? seconds * 1000 : null))
/** An empty one comes as a list. */
const notesShape = z.union([z.looseObject({ org: z.string().optional() }), z.array(z.unknown())]).nullish()
type Notes = z.output<typeof notesShape>

export const noteIn = (given: Notes, name: string): string | undefined => {
  if (!given || Array.isArray(given)) return undefined
  const said = (given as Record<string, unknown>)[name]
  return typeof said === 'string' ? said : undefined
}

export const subscriptionShape = z.looseObject({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  customer_id: z.string().nullish(),
  quantity: z.number().nullish(),
  current_start: at,
  current_end: at,
  notes: notesShape,
  short_url: z.string().nullish(),
  cancel_at_cycle_end: z.union([z.boolean(), z.number()]).nullish(),
})

/** A state that is not here is one that came later: it is not taken for another. */
const states: Readonly<Record<string, PaymentState>> = {
  created: 'pending',
  authenticated: 'pending',
  active: 'active',
  pending: 'past_due',
  halted: 'unpaid',
  paused: 'paused',
  cancelled: 'cancelled',
  completed: 'cancelled',
  expired: 'cancelled',
}

const namedIn = (notes: Notes): WantedPlan | undefined => {
  const plan = boughtPlans.find((name) => name === noteIn(notes, 'plan'))
  const interval = intervals.find((name) => name === noteIn(notes, 'interval'))
  return plan && interval && { plan, interval }
}

export const readingOf = (given: unknown, planOf: (theirs: string) => WantedPlan | undefined): SubscriptionReading => {
  const read = subscriptionShape.parse(given)
  return {
    provider: 'razorpay',
    subscriptionId: read.id,
    itemId: null,
    orgId: noteIn(read.notes, 'org'),
    bought: planOf(read.plan_id),
    named: namedIn(read.notes),
    customerId: read.customer_id ?? null,
    status: states[read.status],
    seats: read.quantity ?? 1,
    startedAt: read.current_start,
    periodStart: read.current_start,
    periodEnd: read.current_end,
    cancelAtPeriodEnd: Boolean(read.cancel_at_cycle_end),
    cancelAt: null,
  }
}

const invoiceStates: Readonly<Record<string, ChargeRow['status']>> = {
  draft: 'open',
  issued: 'open',
  partially_paid: 'open',
  paid: 'paid',
  cancelled: 'void',
  expired: 'failed',
}
const invoices = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string(),
      amount: z.number().int(),
      currency: z.string(),
      issued_at: at,
      paid_at: at,
      created_at: at,
      billing_start: at,
      billing_end: at,
      short_url: z.string().nullish(),
    }),
  ),
})

/** A draft has no time yet: it is listed once it was issued. */
export const chargesIn = (answer: unknown): ChargeRow[] =>
  invoices.parse(answer).items.flatMap((one) => {
    const chargedAt = one.issued_at ?? one.paid_at ?? one.created_at ?? one.billing_start
    if (chargedAt === null) return []
    return {
      id: one.id,
      provider: 'razorpay' as const,
      amount: one.amount,
      currency: one.currency,
      chargedAt,
      status: invoiceStates[one.status] ?? 'open',
      periodStart: one.billing_start,
      periodEnd: one.billing_end,
      url: one.short_url ?? null,
    }
  })

export const addonShape = z.looseObject({
  subscription_id: z.string().nullish(),
  item: z.looseObject({ name: z.string() }),
})
export const eventShape = z.looseObject({
  payload: z.looseObject({
    subscription: z.looseObject({ entity: z.looseObject({ id: z.string(), notes: notesShape }) }).optional(),
    invoice: z.looseObject({ entity: z.looseObject({ subscription_id: z.string().nullish() }) }).optional(),
  }),
})
