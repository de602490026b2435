import { notFound, type PaymentProvider, paymentMessageBytes, paymentProviders } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { ProviderNews } from '../../../platform/payments/types.ts'
import { expectSize } from '../../../platform/signed-json.ts'
import { insertProviderEvent } from './billing.store.ts'
import { paymentsOf } from './payments.service.ts'

interface ReadNewsInput {
  readonly provider: string
  readonly message: { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string | undefined>> }
}

/** The provider of a webhook's address, with its message once the signature holds. */
export const readNews = (
  call: Needs<'clock' | 'config' | 'httpOut' | 'log'>,
  { provider, message }: ReadNewsInput,
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
