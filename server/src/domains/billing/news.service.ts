import { notFound, type PaymentProvider, paymentMessageBytes, paymentProviders } from '@integrity/protocol'
import type { Needs } from '../../kernel/call.ts'
import type { CheckoutRow, ProviderNews } from '../../platform/payments/types.ts'
import { expectSize } from '../../platform/signed-json.ts'
import { applySubscription, keepCharges } from './applying.service.ts'
import { findOrgOfSubscriptionAcrossOrgs, insertProviderEvent } from './billing.store.ts'
import { paymentsOf } from './payments.service.ts'

/** The provider of a webhook's address, with its message once the signature holds. */
export const readNews = (
  call: Needs<'clock' | 'config' | 'httpOut'>,
  {
    provider,
    message,
  }: {
    readonly provider: string
    readonly message: { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string | undefined>> }
  },
): ProviderNews & { readonly provider: PaymentProvider } => {
  const known = paymentProviders.find((name) => name === provider)
  if (!known) throw notFound('payment provider')
  expectSize(message.bytes, paymentMessageBytes[known])
  return { provider: known, ...paymentsOf(call, known).news({ ...message, now: call.clock.now() }) }
}

/** Durable when it resolves: a message that came is worked on, once. What is of no organisation of ours is left alone. */
export const takeNews = async (
  call: Needs<'clock' | 'jobs' | 'tx'>,
  { provider, eventId, subscriptionId }: ReturnType<typeof readNews>,
): Promise<void> => {
  const { tx } = call
  const isNew = await insertProviderEvent(tx, { provider, eventId, now: call.clock.now() })
  if (!isNew || subscriptionId === undefined) return
  const scope = { orgId: '', environment: 'live' } as const
  await call.jobs.enqueue(
    { ...call, scope },
    {
      kind: 'billing.refresh',
      payload: { provider, subscriptionId },
      dedupeKey: `billing ${provider} ${subscriptionId}`,
    },
  )
}

/** Asks the provider how a subscription stands, and takes that over. */
export const refreshSubscription = async (
  call: Needs<'clock' | 'config' | 'db' | 'httpOut' | 'log' | 'reader'>,
  { provider, subscriptionId }: { readonly provider: PaymentProvider; readonly subscriptionId: string },
): Promise<void> => {
  const payments = paymentsOf(call, provider)
  const subscription = await payments.read(subscriptionId)
  if (!subscription) return
  const owner = await findOrgOfSubscriptionAcrossOrgs(call.reader, provider, subscriptionId)
  if (owner !== undefined && owner !== subscription.orgId) {
    call.log.warn({ provider, subscriptionId }, 'a subscription names another organisation than the one it is of')
    return
  }
  const charges = await payments.charges(subscription)
  await call.db.transact(async (tx) => {
    await applySubscription({ ...call, tx }, subscription)
    await keepCharges({ tx }, { orgId: subscription.orgId, charges })
  })
}

/** Takes over what a hosted page has led to, where somebody has paid on it. */
export const lookForCharge = async (
  call: Parameters<typeof refreshSubscription>[0],
  { provider, id }: Pick<CheckoutRow, 'id' | 'provider'>,
): Promise<void> => {
  const subscriptionId = await paymentsOf(call, provider).bought(id)
  if (subscriptionId !== undefined) await refreshSubscription(call, { provider, subscriptionId })
}
