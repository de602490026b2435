import type { BoughtPlan, Interval, PaymentProvider, subscriptionStates } from '@integrity/protocol'

/** A subscription as its provider told of it last. Times are epoch milliseconds. */
export interface SubscriptionRow {
  readonly orgId: string
  readonly provider: PaymentProvider
  readonly subscriptionId: string
  readonly customerId: string | null
  /** What of it has the price; providers that need it name it. */
  readonly itemId: string | null
  readonly plan: BoughtPlan
  readonly interval: Interval
  readonly status: (typeof subscriptionStates)[number]
  readonly seats: number
  readonly periodStart: number | null
  readonly periodEnd: number | null
  readonly cancelAtPeriodEnd: boolean
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

export interface WantedPlan {
  readonly plan: BoughtPlan
  readonly interval: Interval
}

/** What came from a provider's server, once its signature holds. */
export interface ProviderNews {
  readonly eventId: string
  /** The organisation that the provider was told of; nothing is believed of it but that it is worth asking. */
  readonly orgId: string | undefined
  readonly subscriptionId: string | undefined
}

/** One payment provider. Each call may reject with `PaymentFailed`. */
export interface Payments {
  readonly name: PaymentProvider
  checkout(
    wanted: WantedPlan & {
      readonly orgId: string
      readonly seats: number
      readonly currency: string
      readonly returnTo: string
      readonly now: number
      /** The same for the same wish, so that it is opened once. */
      readonly key: string
    },
  ): Promise<Pick<CheckoutRow, 'id' | 'url' | 'expiresAt'>>
  /** The subscription that a hosted page has led to; undefined while nobody has paid there. */
  bought(checkoutId: string): Promise<string | undefined>
  /** Undefined where the provider knows none, or none of an organisation of ours. */
  read(subscriptionId: string): Promise<SubscriptionRow | undefined>
  charges(subscription: SubscriptionRow): Promise<readonly ChargeRow[]>
  change(subscription: SubscriptionRow, wanted: WantedPlan, key: string): Promise<void>
  cancel(subscription: SubscriptionRow, when: 'period_end' | 'now', key: string): Promise<void>
  /** Tells of a closed period, unless the provider has it: what was begun before may have come through. */
  push(
    subscription: SubscriptionRow,
    used: { readonly period: string; readonly quantity: number; readonly isSecondTry: boolean; readonly now: number },
  ): Promise<void>
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
