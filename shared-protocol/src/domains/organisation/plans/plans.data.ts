/** Plans that can be bought. Amounts are integers in the currency's smallest unit, for a month and for a year. */
export const plans = {
  free: {
    limits: { sessionsPerMonth: 10, storageBytes: 5e9, members: 3, retentionDays: 30 },
    prices: undefined,
    metered: false,
  },
  team: {
    limits: { sessionsPerMonth: 100, storageBytes: 100e9, members: 15, retentionDays: 180 },
    prices: { INR: [499_900, 4_999_000], USD: [7_900, 79_000], EUR: [7_500, 75_000], GBP: [6_500, 65_000] },
    metered: false,
  },
  business: {
    limits: { sessionsPerMonth: 1000, storageBytes: 1e12, members: 100, retentionDays: 365 },
    prices: { INR: [2_499_900, 24_999_000], USD: [39_900, 399_000], EUR: [36_900, 369_000], GBP: [31_900, 319_000] },
    /** Sessions beyond the plan are metered, not refused. */
    metered: true,
  },
  /** Agreed upon with people; nothing of it can be bought here. */
  enterprise: {
    limits: { sessionsPerMonth: null, storageBytes: null, members: null, retentionDays: null },
    prices: undefined,
    metered: false,
  },
} as const satisfies Record<string, PlanFacts>

export interface PlanLimits {
  readonly sessionsPerMonth: number | null
  readonly storageBytes: number | null
  readonly members: number | null
  readonly retentionDays: number | null
}
type Price = readonly [month: number, year: number]
interface PlanFacts {
  readonly limits: PlanLimits
  readonly prices: Readonly<Record<Currency, Price>> | undefined
  readonly metered: boolean
}

export const currencies = ['INR', 'USD', 'EUR', 'GBP'] as const
export type Currency = (typeof currencies)[number]
export type PlanName = keyof typeof plans
export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]
/** What an organisation is on where nobody takes money. */
export const selfHosted = 'self_hosted'
export const noLimits: PlanLimits = { sessionsPerMonth: null, storageBytes: null, members: null, retentionDays: null }

/** Those that a hosted page sells. */
export const boughtPlans = ['team', 'business'] as const satisfies readonly PlanName[]
export type BoughtPlan = (typeof boughtPlans)[number]
export const intervals = ['month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** From this share of a limit on it is warned of. */
export const warnShare = 0.8

/**
 * How many days a plan stays without being paid for: while the provider still tries to charge, after it has given up
 * (Stripe's `unpaid`, Razorpay's `halted`), and behind the end of the paid period while the provider says nothing at all.
 */
export const graceDays = { retrying: 60, givenUp: 7, silent: 30 } as const

const euroCountries = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** What is paid with in a country (ISO 3166-1, two letters), and to whom. */
export const billingOf = (country: string): { readonly currency: Currency; readonly provider: PaymentProvider } => {
  if (country === 'IN') return { currency: 'INR', provider: 'razorpay' }
  const currency = country === 'GB' ? 'GBP' : euroCountries.includes(country) ? 'EUR' : 'USD'
  return { currency, provider: 'stripe' }
}

export const paymentProviders = ['stripe', 'razorpay'] as const
export type PaymentProvider = (typeof paymentProviders)[number]
/** The largest message of each provider's webhook, bytes. An event of Stripe holds the whole invoice with its lines. */
export const paymentMessageBytes: { readonly [P in PaymentProvider]: number } = {
  stripe: 256 * 1024,
  razorpay: 64 * 1024,
}
