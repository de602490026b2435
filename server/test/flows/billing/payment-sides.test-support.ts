import { createHmac } from 'node:crypto'
import type { Config } from '../../../src/kernel/config.ts'
import { signedNews, theirSubscription } from '../../test-support/payments.ts'
import { type PaymentsDouble, startPaymentsDouble } from '../../test-support/payments-double.ts'
import { type RazorpayDouble, razorpayPlans, startRazorpayDouble } from '../../test-support/razorpay-double.ts'
import type { TestServer } from '../../test-support/server.ts'

/** A provider as its customer and its own pages see it. */
export interface Side {
  readonly country: string
  readonly currency: string
  readonly broken: string[]
  settings(): object
  /** The time that the provider goes by. */
  setClock(now: () => number): void
  /** Somebody pays on the hosted page. @returns the subscription's id */
  pay(checkoutId: string, orgId: string): string
  set(id: string, state: 'active' | 'ended' | 'failed' | 'paused'): void
  /** The plan that is paid for there: `team.month`. */
  planOf(id: string): string | undefined
  charge(id: string, amount: number): void
  pushed(): number
  /** A signed message about a subscription. */
  news(server: TestServer, id: string, event: string): { payload: string; headers: Record<string, string> }
  stop(): Promise<void>
}

const at = 1_790_000_000

const ofStripe = (double: PaymentsDouble): Side => {
  const states = { active: 'active', ended: 'canceled', failed: 'past_due', paused: 'paused' } as const
  return {
    country: 'US',
    currency: 'USD',
    broken: double.broken,
    setClock: (now) => Object.assign(double, { now }),
    settings: () => ({ stripe: { api: double.url, key: 'sk_test_1', webhookSecret: 'whsec_test' } }),
    pay(checkoutId, orgId) {
      const { id } = theirSubscription(double, orgId)
      double.pay(checkoutId, id)
      return id
    },
    set(id, state) {
      Object.assign(double.subscriptions.get(id) ?? {}, { status: states[state] })
    },
    planOf: (id) => double.subscriptions.get(id)?.key?.replace('integrity_', '').replace('_', '.'),
    charge(id, total) {
      double.invoices.unshift({ id: `in_${id}_${double.invoices.length}`, total, created: at + double.invoices.length })
    },
    pushed: () => double.meter.length,
    news: (server, id, event) =>
      signedNews(server, {
        id: event,
        type: 'customer.subscription.updated',
        livemode: false,
        data: { object: { id, object: 'subscription' } },
      }),
    stop: () => double.stop(),
  }
}

const ofRazorpay = (double: RazorpayDouble): Side => {
  const states = { active: 'active', ended: 'cancelled', failed: 'pending', paused: 'paused' } as const
  const set = (id: string, state: keyof typeof states): void => {
    Object.assign(double.subscriptions.get(id) ?? {}, { status: states[state] })
  }
  return {
    country: 'IN',
    currency: 'INR',
    broken: double.broken,
    set,
    setClock: () => undefined,
    settings: () => ({
      razorpay: {
        api: double.url,
        keyId: 'rzp_test_1',
        keySecret: 'secret',
        webhookSecret: 'rzp_webhook',
        plans: razorpayPlans,
      },
    }),
    pay(checkoutId) {
      set(checkoutId, 'active')
      return checkoutId
    },
    planOf: (id) =>
      Object.entries(razorpayPlans).find(([, plan]) => plan === double.subscriptions.get(id)?.plan_id)?.[0],
    charge(id, amount) {
      const n = double.invoices.length
      double.invoices.unshift({
        id: `inv_${id}_${n}`,
        entity: 'invoice',
        status: 'paid',
        amount,
        currency: 'INR',
        subscription_id: id,
        issued_at: at + n,
        paid_at: at + n,
        billing_start: at,
        billing_end: at + 1,
        short_url: null,
      })
    },
    pushed: () => double.addons.length,
    news(_server, id, event) {
      const payload = JSON.stringify({
        entity: 'event',
        event: 'subscription.charged',
        payload: { subscription: { entity: { id } } },
      })
      const signature = createHmac('sha256', 'rzp_webhook').update(payload).digest('hex')
      const headers = { 'x-razorpay-signature': signature, 'x-razorpay-event-id': event }
      return { payload, headers: { 'content-type': 'application/json', ...headers } }
    },
    stop: () => double.stop(),
  }
}

export const startSide = {
  stripe: async () => ofStripe(await startPaymentsDouble()),
  razorpay: async () => ofRazorpay(await startRazorpayDouble()),
} as const

export const takeMoneyBy = ({ app, clock }: TestServer, side: Side): void => {
  side.setClock(() => clock.now())
  const payment = { ...app.config.payment, ...side.settings() }
  Object.assign(app.config as { -readonly [K in keyof Config]: Config[K] }, { payment })
}
