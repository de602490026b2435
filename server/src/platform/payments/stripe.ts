import { createHmac } from 'node:crypto'
import { type BoughtPlan, type Interval, plans, ServiceError } from '@integrity/protocol'
import { constantTimeEqual } from '../crypto/secrets.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { readSignedJson } from '../signed-json.ts'
import { callProvider, PaymentFailed, PaymentNotSetUp } from './call-provider.ts'
import * as shapes from './stripe.shapes.ts'
import type { PaymentRequestBody, Payments, StripeSettings } from './types.ts'

/** The version whose shapes these are (docs.stripe.com/upgrades). */
const version = '2026-10-28.endive'
const toleranceMs = 300_000
const checkoutMs = 23 * 3_600_000
const minute = 60

interface Fields {
  readonly [name: string]: string | number | boolean | Fields
}

/** `a[b][0]=c`, as their API reads bodies. */
const encode = (fields: Fields, prefix = ''): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = prefix === '' ? name : `${prefix}[${name}]`
    return typeof value === 'object' ? encode(value, key) : [[key, String(value)]]
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
const clientOf = (
  { api, key = '', webhookSecret }: StripeSettings,
  http: Pick<HttpOut, 'request'>,
  warn: (lack: string) => void,
) => {
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
  const findPrice = async (lookupKey: string): Promise<string | undefined> =>
    shapes.pricesShape.parse(await ask('GET', '/v1/prices', { lookup_keys: { 0: lookupKey }, active: true })).data[0]
      ?.id
  const priceOf = async (plan: BoughtPlan, interval: Interval): Promise<string> => {
    const wanted = shapes.lookupKeyOf(plan, interval)
    const price = await findPrice(wanted)
    if (price === undefined) throw new PaymentNotSetUp(`Stripe has no price with the lookup key ${wanted}`)
    return price
  }
  /** Of the meter; undefined, and said so, where the operator has made none: what goes beyond the plan is not billed then. */
  const beyondPriceOf = async (interval: Interval): Promise<string | undefined> => {
    const wanted = shapes.beyondKeyOf(interval)
    const price = await findPrice(wanted)
    if (price === undefined)
      warn(`Stripe has no price with the lookup key ${wanted}: sessions beyond the plan are not billed`)
    return price
  }
  return { ask, priceOf, beyondPriceOf, webhookSecret, key }
}
type Client = ReturnType<typeof clientOf>

const pathOf = (id: string): string => `/v1/subscriptions/${encodeURIComponent(id)}`

const checkoutRequest =
  ({ priceOf, beyondPriceOf }: Client): Payments['checkoutRequest'] =>
  async ({ orgId, plan, interval, currency, returnTo, now }) => {
    const beyond = plans[plan].metered ? await beyondPriceOf(interval) : undefined
    return {
      mode: 'subscription',
      // A plan is bought once, whatever the number of members. A metered price has no quantity.
      line_items: {
        0: { price: await priceOf(plan, interval), quantity: 1 },
        ...(beyond !== undefined && { 1: { price: beyond } }),
      },
      currency: currency.toLowerCase(),
      client_reference_id: orgId,
      subscription_data: { metadata: { org: orgId, plan, interval } },
      metadata: { org: orgId },
      success_url: `${returnTo}?checkout={CHECKOUT_SESSION_ID}`,
      cancel_url: returnTo,
      expires_at: Math.floor((now + checkoutMs) / 1000),
    }
  }

const checkout =
  ({ ask }: Client): Payments['checkout'] =>
  async (request, key) => {
    const session = await ask('POST', '/v1/checkout/sessions', request as Fields, key)
    const { id, url, expires_at: expiresAt } = shapes.openedShape.parse(session)
    return { id, url, expiresAt }
  }

const orUndefined = (error: unknown): undefined => {
  if (error instanceof PaymentFailed && error.providerStatus === 404) return undefined
  throw error
}

const page =
  ({ ask }: Client): Payments['page'] =>
  async (checkoutId) => {
    const found = await ask('GET', `/v1/checkout/sessions/${encodeURIComponent(checkoutId)}`).catch(orUndefined)
    const { status, subscription } = found === undefined ? {} : shapes.sessionShape.parse(found)
    if (status === 'complete' && subscription) return { state: 'bought', subscriptionId: subscription }
    return { state: status === 'open' ? 'open' : 'over' }
  }

const read =
  ({ ask }: Client): Payments['read'] =>
  async (subscriptionId) => {
    const found = await ask('GET', pathOf(subscriptionId)).catch(orUndefined)
    return found === undefined ? undefined : shapes.readingOf(found)
  }

const charges =
  ({ ask }: Client): Payments['charges'] =>
  async (subscriptionId) =>
    shapes.chargesIn(await ask('GET', '/v1/invoices', { subscription: subscriptionId, limit: 24 }))

const changeRequest =
  ({ ask, priceOf, beyondPriceOf }: Client): Payments['changeRequest'] =>
  async (subscriptionId, { plan, interval }): Promise<PaymentRequestBody> => {
    const { items } = shapes.subscriptionShape.parse(await ask('GET', pathOf(subscriptionId)))
    // Without the item's id a second one would be added.
    const item = { id: shapes.planItem(items.data)?.id ?? '', price: await priceOf(plan, interval) }
    const metered = items.data.find(shapes.isBeyond)
    // One that is there keeps the interval of the plan, also on a plan without.
    const beyond = metered || plans[plan].metered ? await beyondPriceOf(interval) : undefined
    return {
      items: {
        0: item,
        ...(beyond !== undefined && { 1: { ...(metered && { id: metered.id }), price: beyond } }),
      },
      proration_behavior: 'create_prorations',
      payment_behavior: 'pending_if_incomplete',
    }
  }

const change =
  ({ ask }: Client): Payments['change'] =>
  async (subscriptionId, request, key) => {
    await ask('POST', pathOf(subscriptionId), request as Fields, key)
  }

const cancel =
  ({ ask }: Client): Payments['cancel'] =>
  async (subscriptionId, when, key) => {
    if (when === 'now') await ask('DELETE', pathOf(subscriptionId))
    else await ask('POST', pathOf(subscriptionId), { cancel_at_period_end: true }, key)
  }

/** Whether the meter has something of a customer for the minute of an instant. */
const isMetered = async ({ ask }: Client, customer: string, stamp: number): Promise<boolean> => {
  const meters = shapes.metersShape.parse(await ask('GET', '/v1/billing/meters', { status: 'active', limit: 100 }))
  const meter = meters.data.find(({ event_name: name }) => name === shapes.meterEvent)
  if (!meter) return false
  const from = Math.floor(stamp / 1000 / minute) * minute
  const stretch = { customer, start_time: from, end_time: from + minute }
  const path = `/v1/billing/meters/${encodeURIComponent(meter.id)}/event_summaries`
  const { data } = shapes.summariesShape.parse(await ask('GET', path, stretch))
  return data.some(({ aggregated_value: value }) => value > 0)
}

const push =
  (client: Client): Payments['push'] =>
  async ({ customerId, orgId, period, quantity, stamp, isSecondTry }) => {
    const customer = customerId ?? ''
    // Their memory of identifiers and keys is a day long, that of the meter is for good.
    if (isSecondTry && (await isMetered(client, customer, stamp))) return
    const identifier = `${orgId}:${period}`
    const payload = { stripe_customer_id: customer, value: quantity }
    const fields = { event_name: shapes.meterEvent, identifier, timestamp: Math.floor(stamp / 1000), payload }
    try {
      await client.ask('POST', '/v1/billing/meter_events', fields, identifier)
    } catch (error) {
      // Events are counted a while after they are taken: one of this name may have come through though no sum shows it yet.
      if (error instanceof PaymentFailed && /already exists with identifier/.test(error.said)) return
      throw error
    }
  }

const news =
  ({ webhookSecret, key }: Client): Payments['news'] =>
  ({ bytes, headers, now }) => {
    if (webhookSecret === undefined) throw refuse('no secret is configured')
    checkSignature(bytes, headers['stripe-signature'], webhookSecret, now)
    const read = shapes.eventShape.safeParse(readSignedJson(bytes))
    if (!read.success) throw new ServiceError('invalid_request', 'the message is not a Stripe event')
    const { id, livemode, data } = read.data
    const object = data.object
    if (livemode !== undefined && livemode !== key.includes('_live_'))
      throw new ServiceError('invalid_request', 'the message is of the other mode: one side uses test, the other live')
    const details = object.parent?.subscription_details
    return {
      eventId: id,
      orgId: details?.metadata?.org ?? object.metadata?.org ?? object.client_reference_id ?? undefined,
      subscriptionId:
        object.object === 'subscription' ? object.id : (details?.subscription ?? object.subscription ?? undefined),
    }
  }

/** Stripe, as its API is since `basil`: period and price are those of the item, overage goes to a meter. */
export const createStripe = (
  config: StripeSettings,
  http: Pick<HttpOut, 'request'>,
  warn: (lack: string) => void,
): Payments => {
  const client = clientOf(config, http, warn)
  return {
    name: 'stripe',
    checkoutRequest: checkoutRequest(client),
    checkout: checkout(client),
    page: page(client),
    read: read(client),
    charges: charges(client),
    changeRequest: changeRequest(client),
    change: change(client),
    cancel: cancel(client),
    push: push(client),
    news: news(client),
  }
}
