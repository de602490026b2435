import type { BoughtPlan, Interval, PaymentProvider, subscriptionStates } from '@integrity/protocol'

/** `unpaid`: the provider has given up charging (Stripe's `unpaid`, Razorpay's `halted`). */
export type PaymentState = (typeof subscriptionStates)[number] | 'unpaid'

export interface WantedPlan {
  readonly plan: BoughtPlan
  readonly interval: Interval
}

/** A subscription as its provider tells of it at one moment; undefined is what it does not say, or not so that we know it. */
export interface SubscriptionReading {
  readonly provider: PaymentProvider
  readonly subscriptionId: string
  readonly customerId: string | null
  /** What of it has the price; providers that need it name it. */
  readonly itemId: string | null
  /** The organisation that the provider was told of when it was bought. */
  readonly orgId: string | undefined
  /** By its price: undefined for a price that is none of ours, or not any more. */
  readonly bought: WantedPlan | undefined
  /** What was written down when it was bought; it says nothing of later changes. */
  readonly named: WantedPlan | undefined
  readonly status: PaymentState | undefined
  readonly seats: number
  readonly startedAt: number | null
  readonly periodStart: number | null
  readonly periodEnd: number | null
  readonly cancelAtPeriodEnd: boolean
  /** When it ends, where the provider names the time. */
  readonly cancelAt: number | null
}

/** A subscription as it is kept. Times are epoch milliseconds. */
export interface SubscriptionRow extends WantedPlan {
  readonly orgId: string
  readonly provider: PaymentProvider
  readonly subscriptionId: string
  readonly customerId: string | null
  readonly itemId: string | null
  readonly status: PaymentState
  readonly seats: number
  readonly periodStart: number | null
  readonly periodEnd: number | null
  readonly cancelAtPeriodEnd: boolean
  readonly cancelAt: number | null
  /** Since when a charge is owed; null while nothing is. */
  readonly overdueSince: number | null
  /** Since when the provider has given up charging; null while it has not, or it was paid since. */
  readonly unpaidSince: number | null
  /** Grows with each answer of the provider that is kept. */
  readonly version: number
}

export interface ChargeRow {
  readonly id: string
  readonly provider: PaymentProvider
  readonly status: 'open' | 'paid' | 'failed' | 'void'
  /** In the currency's smallest unit. */
  readonly amount: number
  readonly currency: string
  readonly chargedAt: number
  readonly periodStart: number | null
  readonly periodEnd: number | null
  readonly url: string | null
}

/** A hosted page where a plan is paid for. */
export interface CheckoutRow {
  readonly id: string
  readonly provider: PaymentProvider
  readonly plan: BoughtPlan
  readonly interval: Interval
  readonly seats: number
  readonly url: string
  readonly expiresAt: number
}

/** What came from a provider's server, once its signature holds. */
export interface ProviderNews {
  readonly eventId: string
  /** The organisation that the provider was told of; nothing is believed of it but that it is worth asking. */
  readonly orgId: string | undefined
  readonly subscriptionId: string | undefined
}

/** How a hosted page stands: still to be paid on, led to a subscription, or over. */
export type PageState =
  | { readonly state: 'open' | 'over' }
  | { readonly state: 'bought'; readonly subscriptionId: string }

/** A request as it goes to the provider, so that it can be repeated as it was. */
export type PaymentRequestBody = Readonly<Record<string, unknown>>

/** Usage of a month that is over; every try for one month is the same request. */
export interface Usage {
  readonly period: string
  readonly quantity: number
  /** The instant that it is told for, the same at every try. */
  readonly stamp: number
  readonly customerId: string | null
  readonly subscriptionId: string
  readonly orgId: string
  /** A try was begun before: it may have come through. */
  readonly isSecondTry: boolean
}

/** One payment provider. Each call may reject with `PaymentFailed`. */
export interface Payments {
  readonly name: PaymentProvider
  /** The request that opens a hosted page; `key` names the wish in it where the provider has no header for that. */
  checkoutRequest(
    wanted: WantedPlan & {
      readonly orgId: string
      readonly currency: string
      readonly returnTo: string
      readonly now: number
      readonly key: string
    },
  ): Promise<PaymentRequestBody>
  checkout(request: PaymentRequestBody, key: string): Promise<Pick<CheckoutRow, 'id' | 'url' | 'expiresAt'>>
  page(checkoutId: string): Promise<PageState>
  /** Undefined where the provider knows none. */
  read(subscriptionId: string): Promise<SubscriptionReading | undefined>
  charges(subscriptionId: string): Promise<readonly ChargeRow[]>
  changeRequest(subscriptionId: string, wanted: WantedPlan): Promise<PaymentRequestBody>
  change(subscriptionId: string, request: PaymentRequestBody, key: string): Promise<void>
  cancel(subscriptionId: string, when: 'period_end' | 'now', key: string): Promise<void>
  /** Tells of a closed period, unless the provider has it: what was begun before may have come through. */
  push(usage: Usage): Promise<void>
  /** Throws `unauthorized` for what the provider has not signed. */
  news(message: {
    readonly bytes: Buffer
    readonly headers: Readonly<Record<string, string | undefined>>
    readonly now: number
  }): ProviderNews
}

export interface StripeSettings {
  readonly api: string
  readonly key: string | undefined
  readonly webhookSecret: string | undefined
}

export interface RazorpaySettings {
  readonly api: string
  readonly keyId: string | undefined
  readonly keySecret: string | undefined
  readonly webhookSecret: string | undefined
  /** Their plans, by ours: `team.month`. */
  readonly plans: Readonly<Record<string, string>>
}
