import { givePlan, sharedDouble, signedNews, takeMoney, theirSubscription } from '../payments.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

/** Money is taken, and what the other examples need stays without a limit. */
const withMoney = async (world: World) => {
  const double = await sharedDouble()
  takeMoney(world.server, double)
  for (const { orgId } of world.server.orgs) await givePlan(world.server, orgId, 'enterprise')
  const { orgId } = world.scope
  await world.server.app.db.transact(async (tx) => {
    await tx.run('DELETE FROM payment_subscriptions WHERE org_id = ?', [orgId])
    await tx.run('DELETE FROM billing_metering WHERE org_id = ?', [orgId])
  })
  return double
}

const ofSubscribed = async (world: World) => {
  const one = theirSubscription(await withMoney(world), world.scope.orgId)
  await world.server.app.db.transact((tx) =>
    tx.run(
      `INSERT INTO payment_subscriptions (org_id, provider, subscription_id, item_id, plan, billing_interval, status, seats,
         cancel_at_period_end, version, read_at) VALUES (?, 'stripe', ?, ?, 'team', 'month', 'active', 1, 0, 1, 0)`,
      [world.scope.orgId, one.id, one.item],
    ),
  )
  return ofOrg(world)
}

export const billingExamples = {
  'billing.plans': async (world) => ({ headers: await byUser(world), query: { country: 'IN' } }),
  'billing.status': async (world) => ({ headers: await byUser(world) }),
  'portal.billing.entitlements': ofOrg,
  'portal.billing.subscription': ofOrg,
  'portal.billing.history': ofOrg,
  'portal.billing.checkout': async (world) => {
    await withMoney(world)
    return { ...(await ofOrg(world)), json: { plan: 'team', interval: 'month', country: 'US' } }
  },
  'portal.billing.plan': async (world) => ({ ...(await ofSubscribed(world)), json: { plan: 'business' } }),
  'portal.billing.cancel': async (world) => ({ ...(await ofSubscribed(world)), json: {} }),
  'portal.billing.metering': async (world) => {
    await withMoney(world)
    return { ...(await ofOrg(world)), json: { period: '2020-01' } }
  },
  'billing.webhooks': async (world) => {
    await withMoney(world)
    const event = { id: `evt_${world.server.app.newId('req')}`, type: 'invoice.paid', data: { object: {} } }
    return { params: { provider: 'stripe' }, ...signedNews(world.server, event) }
  },
} satisfies Examples
