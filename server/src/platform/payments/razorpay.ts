import { createHmac } from 'node:crypto'
import { type BoughtPlan, type Interval, ServiceError } from '@integrity/protocol'
import * as z from 'zod'
import { constantTimeEqual } from '../crypto/secrets.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { readSignedJson } from '../signed-json.ts'
import { callProvider, PaymentFailed } from './call-provider.ts'
import type { ChargeRow, Payments, RazorpaySettings, SubscriptionRow } from './types.ts'

const hour = 3_600_000
/** There is no subscription for ever; so many cycles are ten years. */
const cycles: Readonly<Record<Interval, number>> = { month: 120, year: 10 }
/** What a session beyond the plan costs, in paise. */
const sessionBeyond = 9_900

const at = z
  .number()
  .nullish()
  .transform((seconds) => (seconds ? seconds * 1000 : null))
/** An empty one comes as a list. */
const notes = z.union([z.looseObject({ org: z.string().optional() }), z.array(z.never())]).optional()
const orgIn = (given: z.output<typeof notes>): string | undefined =>
  given === undefined || Array.isArray(given) ? undefined : given.org

const subscriptionShape = z.looseObject({
  id: z.string(),
  plan_id: z.string(),
  status: z.string(),
  customer_id: z.string().nullish(),
  quantity: z.number().nullish(),
  current_start: at,
  current_end: at,
  notes,
  short_url: z.string().optional(),
  cancel_at_cycle_end: z.union([z.boolean(), z.number()]).nullish(),
})

const states: Readonly<Record<string, SubscriptionRow['status']>> = {
  ...{ created: 'pending', authenticated: 'pending', active: 'active', pending: 'past_due', halted: 'past_due' },
  paused: 'paused',
}
const invoiceStates: Readonly<Record<string, ChargeRow['status']>> = {
  ...{ draft: 'open', issued: 'open', partially_paid: 'open', paid: 'paid', cancelled: 'void', expired: 'failed' },
}
const invoices = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.string(),
      status: z.string(),
      amount: z.number().int(),
      currency: z.string(),
      issued_at: at,
      paid_at: at,
      billing_start: at,
      billing_end: at,
      short_url: z.string().nullish(),
    }),
  ),
})
const addon = z.looseObject({
  subscription_id: z.string().nullish(),
  item: z.looseObject({ name: z.string() }),
})
const event = z.looseObject({
  payload: z.looseObject({
    subscription: z.looseObject({ entity: z.looseObject({ id: z.string(), notes }) }).optional(),
    invoice: z.looseObject({ entity: z.looseObject({ subscription_id: z.string().nullish() }) }).optional(),
  }),
})

const refuse = (why: string) =>
  new ServiceError('unauthorized', `the message is not signed by Razorpay: ${why}`, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  })

/** Calls of the API, with what they have in common. */
const clientOf = (
  { api, keyId = '', keySecret = '', webhookSecret, plans }: RazorpaySettings,
  http: Pick<HttpOut, 'request'>,
) => {
  const authorization = `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) =>
    callProvider(http, 'Razorpay', {
      method,
      url: `${api}/v1${path}`,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  const theirPlan = (plan: BoughtPlan, interval: Interval): string => {
    const theirs = plans[`${plan}.${interval}`]
    if (theirs === undefined)
      throw new PaymentFailed('Razorpay', undefined, `RAZORPAY_PLANS names no plan for ${plan}.${interval}`)
    return theirs
  }
  const ourPlan = (theirs: string) => {
    const [name] = Object.entries(plans).find(([, id]) => id === theirs) ?? []
    const [plan, interval] = (name ?? '').split('.') as [BoughtPlan | '', Interval]
    return plan === '' ? undefined : { plan, interval }
  }
  const rowOf = (given: unknown): SubscriptionRow | undefined => {
    const read = subscriptionShape.parse(given)
    const [bought, orgId] = [ourPlan(read.plan_id), orgIn(read.notes)]
    if (!bought || orgId === undefined) return undefined
    return {
      ...{ orgId, provider: 'razorpay' as const, subscriptionId: read.id, itemId: null, ...bought },
      customerId: read.customer_id ?? null,
      status: states[read.status] ?? 'cancelled',
      seats: read.quantity ?? 1,
      periodStart: read.current_start,
      periodEnd: read.current_end,
      cancelAtPeriodEnd: Boolean(read.cancel_at_cycle_end),
    }
  }
  const pathOf = (id: string, verb = '') => `/subscriptions/${encodeURIComponent(id)}${verb}`
  return { ask, theirPlan, rowOf, pathOf, webhookSecret }
}
type Client = ReturnType<typeof clientOf>

const pageLength = 100
/** Ten thousand of a list are looked through. */
const maxPages = 100

/** The first of a list that is meant, page by page. */
const findIn = async <T>(
  ask: Client['ask'],
  path: string,
  shape: z.ZodType<T>,
  isMeant: (item: T) => boolean,
): Promise<T | undefined> => {
  const page = z.looseObject({ items: z.array(shape) })
  for (let n = 0; n < maxPages; n += 1) {
    const query = `${path}&count=${pageLength}&skip=${n * pageLength}`.replace('?&', '?')
    const { items } = page.parse(await ask('GET', query))
    const found = items.find(isMeant)
    if (found !== undefined || items.length < pageLength) return found
  }
  return undefined
}

const checkout =
  ({ ask, theirPlan }: Client): Payments['checkout'] =>
  async ({ orgId, plan, interval, seats, now, key: wish }) => {
    const planId = theirPlan(plan, interval)
    const expiresAt = now + 24 * hour
    const from = Math.floor((now - 25 * hour) / 1000)
    const before = await findIn(
      ask,
      `/subscriptions?plan_id=${planId}&from=${from}`,
      subscriptionShape,
      ({ status, notes: said }) => status === 'created' && !Array.isArray(said) && said?.['wish'] === wish,
    )
    const made =
      before ??
      subscriptionShape.parse(
        await ask('POST', '/subscriptions', {
          ...{ plan_id: planId, total_count: cycles[interval], quantity: seats, customer_notify: false },
          ...{ expire_by: Math.floor(expiresAt / 1000), notes: { org: orgId, wish } },
        }),
      )
    return { id: made.id, url: made.short_url ?? '', expiresAt }
  }

/** They answer 400 for what they do not know. */
const orUndefined = (error: unknown): undefined => {
  if (error instanceof PaymentFailed && [400, 404].includes(error.providerStatus ?? 0)) return undefined
  throw error
}
const unpaid: ReadonlySet<string> = new Set(['created', 'expired'])

const bought =
  ({ ask, pathOf }: Client): Payments['bought'] =>
  async (checkoutId) => {
    // Their hosted page is that of the subscription itself.
    const found = await ask('GET', pathOf(checkoutId)).catch(orUndefined)
    return found === undefined || unpaid.has(subscriptionShape.parse(found).status) ? undefined : checkoutId
  }

const read =
  ({ ask, rowOf, pathOf }: Client): Payments['read'] =>
  async (subscriptionId) => {
    const found = await ask('GET', pathOf(subscriptionId)).catch(orUndefined)
    return found === undefined ? undefined : rowOf(found)
  }

const charges =
  ({ ask }: Client): Payments['charges'] =>
  async ({ subscriptionId }) => {
    const { items } = invoices.parse(
      await ask('GET', `/invoices?subscription_id=${encodeURIComponent(subscriptionId)}&count=24`),
    )
    return items.map((one) => ({
      ...{ id: one.id, provider: 'razorpay' as const, amount: one.amount, currency: one.currency },
      status: invoiceStates[one.status] ?? 'open',
      chargedAt: one.issued_at ?? one.paid_at ?? 0,
      ...{ periodStart: one.billing_start, periodEnd: one.billing_end, url: one.short_url ?? null },
    }))
  }

const change =
  ({ ask, theirPlan, pathOf }: Client): Payments['change'] =>
  async ({ subscriptionId }, { plan, interval }) => {
    const body = { plan_id: theirPlan(plan, interval), schedule_change_at: 'now', customer_notify: false }
    await ask('PATCH', pathOf(subscriptionId), body)
  }

const cancel =
  ({ ask, pathOf }: Client): Payments['cancel'] =>
  async ({ subscriptionId }, when) => {
    await ask('POST', pathOf(subscriptionId, '/cancel'), when === 'now' ? {} : { cancel_at_cycle_end: 1 })
  }

const push =
  ({ ask, pathOf }: Client): Payments['push'] =>
  async ({ subscriptionId }, { period, quantity, isSecondTry }) => {
    const name = `Sessions beyond the plan, ${period}`
    if (isSecondTry) {
      const isOurs = (one: z.output<typeof addon>) => one.subscription_id === subscriptionId && one.item.name === name
      if (await findIn(ask, '/addons?', addon, isOurs)) return
    }
    const item = { name, amount: sessionBeyond, currency: 'INR' }
    await ask('POST', pathOf(subscriptionId, '/addons'), { item, quantity })
  }

const news =
  ({ webhookSecret }: Client): Payments['news'] =>
  ({ bytes, headers }) => {
    if (webhookSecret === undefined) throw refuse('no secret is configured')
    const expected = createHmac('sha256', webhookSecret).update(bytes).digest('hex')
    if (!constantTimeEqual(headers['x-razorpay-signature'] ?? '', expected))
      throw refuse('the signature is another one')
    const read = event.safeParse(readSignedJson(bytes))
    const eventId = headers['x-razorpay-event-id']
    if (!read.success || !eventId || eventId.length > 200)
      throw new ServiceError('invalid_request', 'the message is none of Razorpay')
    const { subscription, invoice } = read.data.payload
    return {
      eventId,
      orgId: orgIn(subscription?.entity.notes),
      subscriptionId: subscription?.entity.id ?? invoice?.entity.subscription_id ?? undefined,
    }
  }

/** Razorpay. It knows no idempotency: what may have been made before is looked for first. */
export const createRazorpay = (config: RazorpaySettings, http: Pick<HttpOut, 'request'>): Payments => {
  const client = clientOf(config, http)
  return {
    name: 'razorpay',
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
