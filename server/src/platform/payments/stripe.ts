import { createHmac } from 'node:crypto'
import { type BoughtPlan, boughtPlans, type Interval, intervals, ServiceError } from '@integrity/protocol'
import * as z from 'zod'
import { constantTimeEqual } from '../crypto/secrets.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { readSignedJson } from '../signed-json.ts'
import { callProvider, PaymentFailed } from './call-provider.ts'
import type { ChargeRow, Payments, StripeSettings, SubscriptionRow } from './types.ts'

/** The version whose shapes these are (docs.stripe.com/upgrades). */
const version = '2026-10-28.endive'
const toleranceMs = 300_000
const checkoutMs = 23 * 3_600_000
/** The meter and the prices are made once, in the provider's own pages: docs/operating.md. */
const meterEvent = 'integrity_sessions_beyond_plan'
const lookupKeyOf = (plan: BoughtPlan, interval: Interval): string => `integrity_${plan}_${interval}`

interface Fields {
  readonly [name: string]: string | number | boolean | Fields
}

/** `a[b][0]=c`, as their API reads bodies. */
const encode = (fields: Fields, prefix = ''): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix === '' ? name : `${prefix}[${name}]`
    return typeof value === 'object' ? encode(value, key) : [[key, String(value)]]
  })

const seconds = z.number().transform((at) => at * 1000)
const ofOrg = z.looseObject({ org: z.string().optional() })

const subscriptionShape = z.looseObject({
  id: z.string(),
  status: z.string(),
  customer: z.union([z.string(), z.looseObject({ id: z.string() })]),
  cancel_at_period_end: z.boolean(),
  metadata: ofOrg.nullish(),
  items: z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        quantity: z.number().optional(),
        current_period_start: seconds.nullish(),
        current_period_end: seconds.nullish(),
        price: z.looseObject({ lookup_key: z.string().nullish() }),
      }),
    ),
  }),
})

const states: Readonly<Record<string, SubscriptionRow['status']>> = {
  active: 'active',
  trialing: 'active',
  past_due: 'past_due',
  unpaid: 'past_due',
  incomplete: 'pending',
  paused: 'paused',
}

const planOfKey = (key: string | null | undefined) => {
  for (const plan of boughtPlans)
    for (const interval of intervals) if (key === lookupKeyOf(plan, interval)) return { plan, interval }
  return undefined
}

const rowOf = (given: unknown): SubscriptionRow | undefined => {
  const { id, status, customer, metadata, items, cancel_at_period_end: cancels } = subscriptionShape.parse(given)
  const item = items.data.find(({ price }) => planOfKey(price.lookup_key))
  const bought = planOfKey(item?.price.lookup_key)
  if (!metadata?.org || !item || !bought) return undefined
  return {
    ...{ orgId: metadata.org, provider: 'stripe' as const, subscriptionId: id, itemId: item.id, ...bought },
    customerId: typeof customer === 'string' ? customer : customer.id,
    status: states[status] ?? 'cancelled',
    seats: item.quantity ?? 1,
    periodStart: item.current_period_start ?? null,
    periodEnd: item.current_period_end ?? null,
    cancelAtPeriodEnd: cancels,
  }
}

const invoiceStates: Readonly<Record<string, ChargeRow['status']>> = {
  ...{ draft: 'open', open: 'open', paid: 'paid', void: 'void', uncollectible: 'failed' },
}
const invoices = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string().nullish(),
      total: z.number().int(),
      currency: z.string(),
      created: seconds,
      period_start: seconds.nullish(),
      period_end: seconds.nullish(),
      hosted_invoice_url: z.string().nullish(),
    }),
  ),
})

const found = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), lookup_key: z.string().nullish() })) })
const closed = z.looseObject({ status: z.string().nullable(), subscription: z.string().nullish() })
const opened = z.looseObject({ id: z.string(), url: z.string(), expires_at: seconds })

const event = z.looseObject({
  id: z.string(),
  livemode: z.boolean().optional(),
  data: z.looseObject({
    object: z.looseObject({
      id: z.string().optional(),
      object: z.string().optional(),
      subscription: z.string().nullish(),
      client_reference_id: z.string().nullish(),
      metadata: ofOrg.nullish(),
      parent: z
        .looseObject({
          subscription_details: z
            .looseObject({ subscription: z.string().nullish(), metadata: ofOrg.nullish() })
            .nullish(),
        })
        .nullish(),
    }),
  }),
})

const refuse = (why: string) =>
  new ServiceError('unauthorized', `the message is not signed by Stripe: ${why}`, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/** `t=…,v1=…[,v1=…]`; two while a secret is changed. */
const checkSignature = (bytes: Buffer, header: string | undefined, secret: string, now: number): void => {
  const parts = (header ?? '').split(',').map((part) => part.split('=') as [string, string | undefined])
  const at = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(at)) throw refuse('it has no signature')
  const expected = createHmac('sha256', secret).update(`${at}.`).update(bytes).digest('hex')
  const given = parts.filter(([name]) => name === 'v1').map(([, value]) => value ?? '')
  if (!given.some((one) => constantTimeEqual(one, expected))) throw refuse('the signature is another one')
  // Their own library takes one from the future, too.
  if (Math.abs(now - Number(at) * 1000) > toleranceMs)
    throw refuse('it is more than five minutes old, or from the future')
}

/** Calls of the API, with what they have in common. */
const clientOf = ({ api, key = '', webhookSecret }: StripeSettings, http: Pick<HttpOut, 'request'>) => {
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, fields: Fields = {}, idempotencyKey?: string) => {
    const query = new URLSearchParams(encode(fields)).toString()
    const isBody = method === 'POST'
    return callProvider(http, 'Stripe', {
      method,
      url: `${api}${path}${isBody || query === '' ? '' : `?${query}`}`,
      headers: {
        authorization: `Bearer ${key}`,
        'stripe-version': version,
        ...(isBody && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(isBody && { body: query }),
    })
  }
  const priceOf = async (plan: BoughtPlan, interval: Interval): Promise<string> => {
    const wanted = lookupKeyOf(plan, interval)
    const { data } = found.parse(await ask('GET', '/v1/prices', { lookup_keys: { 0: wanted }, active: true }))
    const [price] = data
    if (!price) throw new PaymentFailed('Stripe', undefined, `there is no price with the lookup key ${wanted}`)
    return price.id
  }
  const update = (id: string, fields: Fields, idempotencyKey: string) =>
    ask('POST', `/v1/subscriptions/${encodeURIComponent(id)}`, fields, idempotencyKey)
  return { ask, priceOf, update, webhookSecret, key }
}
type Client = ReturnType<typeof clientOf>

const checkout =
  ({ ask, priceOf }: Client): Payments['checkout'] =>
  async ({ orgId, plan, interval, seats, currency, returnTo, now, key: wish }) => {
    const session = await ask(
      'POST',
      '/v1/checkout/sessions',
      {
        mode: 'subscription',
        line_items: { 0: { price: await priceOf(plan, interval), quantity: seats } },
        currency: currency.toLowerCase(),
        client_reference_id: orgId,
        subscription_data: { metadata: { org: orgId } },
        metadata: { org: orgId },
        success_url: `${returnTo}?checkout={CHECKOUT_SESSION_ID}`,
        cancel_url: returnTo,
        expires_at: Math.floor((now + checkoutMs) / 1000),
      },
      wish,
    )
    const { id, url, expires_at: expiresAt } = opened.parse(session)
    return { id, url, expiresAt }
  }

const orUndefined = (error: unknown): undefined => {
  if (error instanceof PaymentFailed && error.providerStatus === 404) return undefined
  throw error
}

const bought =
  ({ ask }: Client): Payments['bought'] =>
  async (checkoutId) => {
    const found = await ask('GET', `/v1/checkout/sessions/${encodeURIComponent(checkoutId)}`).catch(orUndefined)
    if (found === undefined) return undefined
    const { status, subscription } = closed.parse(found)
    return status === 'complete' ? (subscription ?? undefined) : undefined
  }

const read =
  ({ ask }: Client): Payments['read'] =>
  async (subscriptionId) => {
    const found = await ask('GET', `/v1/subscriptions/${encodeURIComponent(subscriptionId)}`).catch(orUndefined)
    return found === undefined ? undefined : rowOf(found)
  }

const charges =
  ({ ask }: Client): Payments['charges'] =>
  async ({ subscriptionId }) => {
    const { data } = invoices.parse(await ask('GET', '/v1/invoices', { subscription: subscriptionId, limit: 24 }))
    return data.map((one) => ({
      ...{ id: one.id, provider: 'stripe' as const, amount: one.total, currency: one.currency.toUpperCase() },
      status: invoiceStates[one.status ?? 'open'] ?? 'open',
      chargedAt: one.created,
      periodStart: one.period_start ?? null,
      periodEnd: one.period_end ?? null,
      url: one.hosted_invoice_url ?? null,
    }))
  }

const change =
  ({ priceOf, update }: Client): Payments['change'] =>
  async ({ subscriptionId, itemId }, { plan, interval }, wish) => {
    // Without the item's id a second one would be added.
    const item = { id: itemId ?? '', price: await priceOf(plan, interval) }
    await update(
      subscriptionId,
      { items: { 0: item }, proration_behavior: 'create_prorations', payment_behavior: 'pending_if_incomplete' },
      wish,
    )
  }

const cancel =
  ({ ask, update }: Client): Payments['cancel'] =>
  async ({ subscriptionId }, when, wish) => {
    if (when === 'now') await ask('DELETE', `/v1/subscriptions/${encodeURIComponent(subscriptionId)}`)
    else await update(subscriptionId, { cancel_at_period_end: true }, wish)
  }

const push =
  ({ ask }: Client): Payments['push'] =>
  async ({ customerId, orgId }, { period, quantity, now }) => {
    const identifier = `${orgId}:${period}`
    const payload = { stripe_customer_id: customerId ?? '', value: quantity }
    const fields = { event_name: meterEvent, identifier, timestamp: Math.floor(now / 1000), payload }
    try {
      await ask('POST', '/v1/billing/meter_events', fields, identifier)
    } catch (error) {
      // The identifier was taken before: a try that was cut off had come through.
      if (error instanceof PaymentFailed && error.message.includes('identifier')) return
      throw error
    }
  }

const news =
  ({ webhookSecret, key }: Client): Payments['news'] =>
  ({ bytes, headers, now }) => {
    if (webhookSecret === undefined) throw refuse('no secret is configured')
    checkSignature(bytes, headers['stripe-signature'], webhookSecret, now)
    const read = event.safeParse(readSignedJson(bytes))
    if (!read.success) throw new ServiceError('invalid_request', 'the message is none of Stripe')
    const { id, livemode, data } = read.data
    const object = data.object
    if (livemode !== undefined && livemode !== key.includes('_live_'))
      throw new ServiceError('invalid_request', 'the message is of the other mode, test or live')
    const details = object.parent?.subscription_details
    return {
      eventId: id,
      orgId: details?.metadata?.org ?? object.metadata?.org ?? object.client_reference_id ?? undefined,
      subscriptionId:
        object.object === 'subscription' ? object.id : (details?.subscription ?? object.subscription ?? undefined),
    }
  }

/** Stripe, as its API is since `basil`: period and price are those of the item, overage goes to a meter. */
export const createStripe = (config: StripeSettings, http: Pick<HttpOut, 'request'>): Payments => {
  const client = clientOf(config, http)
  return {
    name: 'stripe',
    checkout: checkout(client),
    bought: bought(client),
    read: read(client),
    charges: charges(client),
    change: change(client),
    cancel: cancel(client),
    push: push(client),
    news: news(client),
  }
}
