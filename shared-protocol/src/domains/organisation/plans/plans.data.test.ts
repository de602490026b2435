import { describe, expect, it } from 'vitest'
import { countryCodes } from '../../../clients/countries.ts'
import {
  billingOf,
  boughtPlans,
  currencies,
  noLimits,
  type PlanLimits,
  paymentProviders,
  planNames,
  plans,
  selfHosted,
} from './plans.data.ts'

const names = ['sessionsPerMonth', 'storageBytes', 'members', 'retentionDays'] as const satisfies (keyof PlanLimits)[]
const atLeast = (more: number | null, less: number | null): boolean => more === null || (less !== null && more >= less)

describe('the plans', () => {
  it('never give less for more', () => {
    for (const [index, name] of planNames.slice(1).entries()) {
      const before = plans[planNames[index] ?? 'free'].limits
      for (const limit of names)
        expect(atLeast(plans[name].limits[limit], before[limit]), `${name} ${limit}`).toBe(true)
    }
  })

  it('have a price in every currency exactly where a page sells them, and a year costs less than twelve months', () => {
    for (const name of planNames) {
      const { prices } = plans[name]
      expect(prices !== undefined, name).toBe((boughtPlans as readonly string[]).includes(name))
      for (const currency of prices ? currencies : []) {
        const [month, year] = prices?.[currency] ?? [0, 0]
        expect([month, year].every(Number.isSafeInteger)).toBe(true)
        expect(month).toBeGreaterThan(0)
        expect(year).toBeGreaterThan(month)
        expect(year).toBeLessThan(12 * month)
      }
    }
  })

  it('are no name of where nobody takes money, which has no limit', () => {
    expect(planNames).not.toContain(selfHosted)
    expect(Object.values(noLimits)).toEqual(names.map(() => null))
  })
})

describe('what is paid with', () => {
  it('is the rupee in India by its own provider, the pound in Britain, the euro where it is the money, else the dollar', () => {
    expect(billingOf('IN')).toEqual({ currency: 'INR', provider: 'razorpay' })
    expect(billingOf('GB')).toEqual({ currency: 'GBP', provider: 'stripe' })
    for (const country of ['DE', 'FR', 'HR', 'BG', 'IE']) expect(billingOf(country).currency, country).toBe('EUR')
    for (const country of ['US', 'CH', 'PL', 'DK', 'BR', 'JP']) expect(billingOf(country).currency, country).toBe('USD')
  })

  it('is known for every country, from one of the providers', () => {
    for (const country of countryCodes) {
      const { currency, provider } = billingOf(country)
      expect([currencies.includes(currency), paymentProviders.includes(provider)], country).toEqual([true, true])
    }
  })
})
