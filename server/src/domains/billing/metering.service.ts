import { invalid, type PaymentProvider } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import { isMetered, limitsOf, planOf } from '../plans/plans.service.ts'
import { sessionsOfMonth } from '../sessions/sessions.month.service.ts'
import { beginMetering, findSubscription, markPushed } from './billing.store.ts'
import { paymentsOf } from './payments.service.ts'

export interface Metered {
  readonly period: string
  readonly quantity: number
  readonly pushed: true
  readonly repeated: boolean
}

const beginningOf = (period: string): number => Date.parse(`${period}-01T00:00:00.000Z`)
/** `2026-10`, of the month before an instant. */
export const lastPeriod = (now: number): string => {
  const date = new Date(now)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1)).toISOString().slice(0, 7)
}

type Meters = Needs<'clock' | 'config' | 'db' | 'httpOut' | 'reader'>

const beyondPlan = async (call: Meters, orgId: string, period: string): Promise<number> => {
  const plan = await planOf(call, orgId)
  const { sessionsPerMonth } = limitsOf(plan)
  if (sessionsPerMonth === null || !isMetered(plan)) return 0
  return Math.max(0, (await sessionsOfMonth(call, { orgId, at: beginningOf(period) })) - sessionsPerMonth)
}

/**
 * Counts a month that is over and tells the provider, once. The count is kept before the provider is told: whoever is
 * killed in between finds it, asks the provider whether it came through, and tells it again only where it did not.
 */
export const meterPeriod = async (
  call: Meters,
  { orgId, period }: { readonly orgId: string; readonly period: string },
): Promise<Metered> => {
  const now = call.clock.now()
  if (period > lastPeriod(now)) throw invalid('period', 'must be a month that is over')
  const counted = await beyondPlan(call, orgId, period)
  const row = await call.db.transact((tx) => beginMetering(tx, { orgId, period, quantity: counted, now }))
  const { quantity } = row
  if (row.pushedAt !== null) return { period, quantity, pushed: true, repeated: true }
  const subscription = await findSubscription(call.reader, orgId)
  if (quantity > 0 && subscription) {
    const provider: PaymentProvider = subscription.provider
    await paymentsOf(call, provider).push(subscription, { period, quantity, isSecondTry: !row.isNew, now })
  }
  await call.db.transact((tx) => markPushed(tx, orgId, period, now))
  return { period, quantity, pushed: true, repeated: false }
}
