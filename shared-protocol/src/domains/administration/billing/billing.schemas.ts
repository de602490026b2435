import * as z from 'zod'
import { countryCode } from '../../../core/country.ts'
import { instant } from '../../../core/primitives.ts'
import * as b from '../../organisation/plans/plans.data.ts'

const count = z.number().int().min(0)
const price = count.meta({ description: "in the currency's smallest unit" })
const provider = z.enum(b.paymentProviders)
const interval = z.enum(b.intervals)
const planName = z.enum([...b.planNames, b.selfHosted])
export const billingPeriod = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month like 2026-10')

export const plansQuery = z.object({ country: countryCode })
const limits = z.object({
  sessionsPerMonth: count.nullable(),
  storageBytes: count.nullable(),
  members: count.nullable(),
  retentionDays: count.nullable(),
})
export const planLadder = z
  .object({
    country: z.string(),
    currency: z.enum(b.currencies),
    provider,
    items: z.array(
      z.object({
        plan: z.enum(b.planNames),
        prices: z
          .object({ month: price, year: price })
          .nullable()
          .meta({ description: 'null: free, or not for sale here' }),
        limits: limits.meta({ description: 'null: none' }),
        metered: z.boolean().meta({ description: 'sessions beyond the plan are counted and charged, not refused' }),
      }),
    ),
  })
  .meta({ id: 'PlanLadder' })

export const billingStatus = z
  .object({
    legs: z.array(
      z.object({
        leg: z.enum(['india', 'world']),
        provider,
        configured: z.boolean(),
        reason: z.string().nullable().meta({ description: 'what is missing, in words' }),
      }),
    ),
  })
  .meta({ id: 'BillingStatus' })

export const limitNames = ['sessions', 'storage_bytes', 'members', 'retention_days'] as const
export const limitStates = ['ok', 'warn', 'block'] as const
export const entitlements = z
  .object({
    plan: planName,
    items: z.array(
      z.object({
        name: z.enum(limitNames),
        limit: count.nullable(),
        used: count,
        state: z.enum(limitStates).meta({
          description: `warn: from ${b.warnShare * 100} % on; block: the limit is reached and nothing new is taken, while nothing that runs is touched. What is never refused (sessions of a metered plan, a retention window, which is capped) warns at most`,
        }),
      }),
    ),
  })
  .meta({ id: 'Entitlements' })

export const subscriptionStates = ['active', 'past_due', 'pending', 'paused', 'cancelled'] as const
export const billedSubscription = z
  .object({
    plan: planName,
    provider: provider.nullable(),
    status: z.enum(subscriptionStates).nullable().meta({ description: 'null: there is no subscription' }),
    interval: interval.nullable(),
    seats: count.nullable().meta({ description: 'how many active members the plan that is paid for holds' }),
    currentPeriodStart: instant.nullable(),
    currentPeriodEnd: instant.nullable(),
    cancelAtPeriodEnd: z.boolean(),
    graceEndsAt: instant.nullable().meta({
      description:
        'a charge failed: the plan ends then unless it is paid; null: nothing is owed, or the plan has ended',
    }),
    others: z
      .array(
        z.object({
          provider,
          id: z.string().meta({ description: "the provider's id of it" }),
          plan: z.enum(b.boughtPlans),
          status: z.enum(subscriptionStates),
          currentPeriodEnd: instant.nullable(),
        }),
      )
      .meta({
        description: 'further subscriptions that run and are charged for; the best one counts. Cancel what is too much',
      }),
    checkout: z
      .object({ plan: z.enum(b.boughtPlans), interval, url: z.string(), expiresAt: instant })
      .nullable()
      .meta({ description: 'a hosted page that is still open' }),
  })
  .meta({ id: 'Subscription' })

export const billedCharge = z
  .object({
    id: z.string(),
    provider,
    status: z.enum(['open', 'paid', 'failed', 'void']),
    amount: z.number().int().meta({
      description: "in the currency's smallest unit; negative: a credit, as a change to a smaller plan gives",
    }),
    currency: z.string(),
    chargedAt: instant,
    periodStart: instant.nullable(),
    periodEnd: instant.nullable(),
    url: z.string().nullable().meta({ description: "the provider's page of it" }),
  })
  .meta({ id: 'Charge' })

export const checkoutBody = z.object({
  plan: z.enum(b.boughtPlans),
  interval,
  seats: z.number().int().min(1).max(1000).optional().meta({
    description:
      'how many members it is for: a plan that holds fewer is refused. The price is for the plan, whatever the number',
  }),
  country: countryCode.optional().meta({
    description:
      'where you pay from: decides provider and currency (IN, or elsewhere). Needed the first time, and remembered from then on',
  }),
})
export const openedCheckout = z.object({ provider, url: z.string(), expiresAt: instant }).meta({ id: 'Checkout' })
export const planBody = z.object({ plan: z.enum(b.boughtPlans), interval: interval.optional() })
export const cancelBody = z.object({ when: z.enum(['period_end', 'now']).default('period_end') })
export const meteringBody = z.object({
  period: billingPeriod.optional().meta({ description: 'a month that is over; the last one unless given' }),
})
export const metering = z
  .object({
    period: z.string(),
    quantity: count.meta({ description: 'sessions beyond the plan' }),
    pushed: z.boolean().meta({
      description:
        'the provider was told of it; false: there is nothing to tell, nobody to tell, or another request is telling it',
    }),
    repeated: z.boolean().meta({ description: 'it had been counted and settled before: nothing was sent' }),
    plan: planName.meta({ description: 'the plan of that month; of several the metered one' }),
    provider: provider
      .nullable()
      .meta({ description: 'the provider that gets the report; null: no payment in that month' }),
  })
  .meta({ id: 'Metering' })

export const webhookTaken = z.object({ received: z.literal(true) })
