import { createHmac } from 'node:crypto'
import type { PlanName } from '@integrity/protocol'
import type { Config } from '../../src/kernel/config.ts'
import { type PaymentsDouble, startPaymentsDouble, type TheirSubscription } from './payments-double.ts'
import type { TestServer } from './server.ts'

const webhookSecret = 'whsec_test'

/** Has a running server take money, by a provider that is a double. */
export const takeMoney = ({ app, clock }: TestServer, double: Pick<PaymentsDouble, 'url' | 'now'>): void => {
  double.now = () => clock.now()
  const payment = { ...app.config.payment, stripe: { api: double.url, key: 'sk_test_1', webhookSecret } }
  Object.assign(app.config as { -readonly [K in keyof Config]: Config[K] }, { payment })
}

/** A plan that was agreed upon with people; `free` is none. */
export const givePlan = (
  { app }: TestServer,
  orgId: string,
  plan: PlanName,
  retentionDays: number | null = null,
): Promise<unknown> =>
  app.db.transact(async (tx) => {
    await tx.run('DELETE FROM plan_spans WHERE org_id = ?', [orgId])
    if (plan === 'free') return
    await tx.run(
      `INSERT INTO plan_spans (org_id, provider, subscription_id, from_at, plan, seats, retention_days, end_noted)
       VALUES (?, 'agreed', 'agreed', 0, ?, 0, ?, 0)`,
      [orgId, plan, retentionDays],
    )
  })

/** A message of the provider as it signs it. */
export const signedNews = (
  server: TestServer,
  event: object,
  { at = server.clock.now(), secret = webhookSecret } = {},
) => {
  const payload = JSON.stringify(event)
  const t = Math.floor(at / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${payload}`).digest('hex')
  return { payload, headers: { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` } }
}

let shared: Promise<PaymentsDouble> | undefined
/** One for all examples of a process; it holds nothing that outlives it. */
export const sharedDouble = (): Promise<PaymentsDouble> => {
  shared ??= startPaymentsDouble().then((double) => double)
  return shared
}

let made = 0
/** Something that the provider knows as paid for. */
export const theirSubscription = (double: PaymentsDouble, org: string, more: Partial<TheirSubscription> = {}) => {
  made += 1
  const one = {
    id: `sub_${made}`,
    status: 'active',
    key: 'integrity_team_month',
    item: `si_${made}`,
    org,
    quantity: 1,
    cancels: false,
    ...more,
  }
  double.subscriptions.set(one.id, one)
  return one
}
