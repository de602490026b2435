import { type PaymentProvider, ServiceError } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { createRazorpay } from '../../../platform/payments/razorpay.ts'
import { createStripe } from '../../../platform/payments/stripe.ts'
import type { Payments } from '../../../platform/payments/types.ts'

type Asks = Needs<'config' | 'httpOut' | 'log'>

/** The missing settings of a provider; null when it is complete. */
export const lackOf = ({ config: { payment } }: Needs<'config'>, provider: PaymentProvider): string | null => {
  const { stripe, razorpay } = payment
  const needed: Readonly<Record<string, string | undefined>> =
    provider === 'stripe'
      ? { STRIPE_SECRET_KEY: stripe.key, STRIPE_WEBHOOK_SECRET: stripe.webhookSecret }
      : {
          RAZORPAY_KEY_ID: razorpay.keyId,
          RAZORPAY_KEY_SECRET: razorpay.keySecret,
          RAZORPAY_WEBHOOK_SECRET: razorpay.webhookSecret,
        }
  const missing = Object.keys(needed).filter((name) => needed[name] === undefined)
  return missing.length === 0 ? null : `not set: ${missing.join(', ')}`
}

/** The provider; `service_unavailable` where it is not configured. */
export const paymentsOf = (call: Asks, provider: PaymentProvider): Payments => {
  const lack = lackOf(call, provider)
  if (lack !== null)
    throw new ServiceError('service_unavailable', `payments by ${provider} are not configured here (${lack})`, {
      extra: { reason: 'not_configured' },
    })
  const { stripe, razorpay } = call.config.payment
  if (provider === 'razorpay') return createRazorpay(razorpay, call.httpOut)
  return createStripe(stripe, call.httpOut, (lack) => call.log.warn({ provider }, lack))
}
