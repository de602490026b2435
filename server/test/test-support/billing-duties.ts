import { afterAll } from 'vitest'
import { takeMoney, theirSubscription } from './payments.ts'
import { type PaymentsDouble, startPaymentsDouble } from './payments-double.ts'
import { portalCookie } from './portal.ts'
import { count, type Duty, run } from './recurring-duty.ts'

let payments: PaymentsDouble | undefined
afterAll(() => payments?.stop())

/** What is done about money again and again. */
export const billingDuties: Readonly<Record<string, Duty>> = {
  'billing.forget_wishes': {
    plant: ({ app, orgs }) =>
      app.db.transact(async (tx) => {
        const sql = 'INSERT INTO payment_wishes (org_id, wanted, wish_key, params, made_at) VALUES (?, ?, ?, ?, 1)'
        for (const n of [1, 2]) await tx.run(sql, [orgs[0].orgId, `old ${n}`, `k${n}`, '{}'])
      }),
    left: (server) => count(server, "SELECT count(*) AS n FROM payment_wishes WHERE wanted LIKE 'old %'"),
  },
  /** What a provider has ended without that we heard of it. */
  'billing.reconcile': {
    plant: async (server) => {
      payments ??= await startPaymentsDouble()
      takeMoney(server, payments)
      const { orgId } = server.orgs[0]
      const one = theirSubscription(payments, orgId, { status: 'canceled' })
      await run(
        server,
        `INSERT INTO payment_subscriptions (org_id, provider, subscription_id, plan, billing_interval, status, seats,
           cancel_at_period_end, version, read_at)
         VALUES ('${orgId}', 'stripe', '${one.id}', 'team', 'month', 'active', 1, 0, 1, 0)`,
      )
    },
    left: (server) => count(server, "SELECT count(*) AS n FROM payment_subscriptions WHERE status <> 'cancelled'"),
  },
  /** A hosted page that was paid on, without that we heard of it. */
  'billing.look': {
    plant: async (server) => {
      payments ??= await startPaymentsDouble()
      takeMoney(server, payments)
      const { orgId } = server.orgs[0]
      const headers = await portalCookie(server, 'owner')
      await run(server, 'DELETE FROM payment_subscriptions')
      const body = { plan: 'team', interval: 'month', country: 'US' } as const
      await server.client().call('portal.billing.checkout', { params: { orgId }, headers, body })
      const sql = 'SELECT checkout_id AS id FROM payment_pages WHERE org_id = ?'
      const page = await server.app.db.reader.get<{ id: string }>(sql, [orgId])
      payments.pay(page?.id ?? '', theirSubscription(payments, orgId).id)
    },
    left: (server) => count(server, 'SELECT count(*) AS n FROM payment_pages'),
  },
}
