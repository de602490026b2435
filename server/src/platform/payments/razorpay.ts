import { createHmac } from 'node:crypto'
import { type BoughtPlan, type Interval, ServiceError } from '@integrity/protocol'
import * as z from 'zod'
import { constantTimeEqual } from '../crypto/secrets.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { readSignedJson } from '../signed-json.ts'
import { callProvider, PaymentFailed, PaymentNotSetUp } from './call-provider.ts'
import * as shapes from './razorpay.shapes.ts'
import type { Payments, RazorpaySettings, WantedPlan } from './types.ts'

const hour = 3_600_000
const pageMs = 24 * hour
/** There is no subscription forever; so many cycles are ten years. */
const cycles: Readonly<Record<Interval, number>> = { month: 120, year: 10 }
/** What a session beyond the plan costs, in paise. */
const sessionBeyond = 9_900

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
    if (theirs === undefined) throw new PaymentNotSetUp(`RAZORPAY_PLANS names no plan for ${plan}.${interval}`)
    return theirs
  }
  /** The newest price of a plan is the one that is named; a plan of before is known by its stored id alone. */
  const ourPlan = (theirs: string): WantedPlan | undefined => {
    const [name] = Object.entries(plans).find(([, id]) => id === theirs) ?? []
    const [plan, interval] = (name ?? '').split('.') as [BoughtPlan | '', Interval]
    return plan === '' ? undefined : { plan, interval }
  }
  const pathOf = (id: string, verb = '') => `/subscriptions/${encodeURIComponent(id)}${verb}`
  return { ask, theirPlan, ourPlan, pathOf, webhookSecret }
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

const checkoutRequest =
  ({ theirPlan }: Client): Payments['checkoutRequest'] =>
  ({ orgId, plan, interval, now, key: wish }) =>
    Promise.resolve({
      plan_id: theirPlan(plan, interval),
      total_count: cycles[interval],
      quantity: 1,
      customer_notify: false,
      expire_by: Math.floor((now + pageMs) / 1000),
      notes: { org: orgId, wish, plan, interval },
    })

const requested = z.looseObject({ plan_id: z.string(), expire_by: z.number() })

const checkout =
  ({ ask }: Client): Payments['checkout'] =>
  async (request, wish) => {
    const { plan_id: planId, expire_by: expiresAt } = requested.parse(request)
    const from = expiresAt - (pageMs + hour) / 1000
    const before = await findIn(
      ask,
      `/subscriptions?plan_id=${encodeURIComponent(planId)}&from=${from}`,
      shapes.subscriptionShape,
      ({ notes }) => shapes.noteIn(notes, 'wish') === wish,
    )
    const made = before ?? shapes.subscriptionShape.parse(await ask('POST', '/subscriptions', request))
    return { id: made.id, url: made.short_url ?? '', expiresAt: expiresAt * 1000 }
  }

/** They answer 400 for an id that they do not know, as for anything else that is wrong; only their words tell it apart. */
const orUndefined = (error: unknown): undefined => {
  const isUnknown =
    error instanceof PaymentFailed &&
    (error.providerStatus === 404 || (error.providerStatus === 400 && /does not exist/i.test(error.said)))
  if (isUnknown) return undefined
  throw error
}

const page =
  ({ ask, pathOf }: Client): Payments['page'] =>
  async (checkoutId) => {
    // Their hosted page is that of the subscription itself.
    const found = await ask('GET', pathOf(checkoutId)).catch(orUndefined)
    const status = found === undefined ? 'expired' : shapes.subscriptionShape.parse(found).status
    if (status === 'created') return { state: 'open' }
    return status === 'expired' ? { state: 'over' } : { state: 'bought', subscriptionId: checkoutId }
  }

const read =
  ({ ask, ourPlan, pathOf }: Client): Payments['read'] =>
  async (subscriptionId) => {
    const found = await ask('GET', pathOf(subscriptionId)).catch(orUndefined)
    return found === undefined ? undefined : shapes.readingOf(found, ourPlan)
  }

const charges =
  ({ ask }: Client): Payments['charges'] =>
  async (subscriptionId) =>
    shapes.chargesIn(await ask('GET', `/invoices?subscription_id=${encodeURIComponent(subscriptionId)}&count=24`))

const changeRequest =
  ({ theirPlan }: Client): Payments['changeRequest'] =>
  (_subscriptionId, { plan, interval }) =>
    Promise.resolve({ plan_id: theirPlan(plan, interval), schedule_change_at: 'now', customer_notify: false })

const change =
  ({ ask, pathOf }: Client): Payments['change'] =>
  async (subscriptionId, request) => {
    await ask('PATCH', pathOf(subscriptionId), request)
  }

const cancel =
  ({ ask, pathOf }: Client): Payments['cancel'] =>
  async (subscriptionId, when) => {
    await ask('POST', pathOf(subscriptionId, '/cancel'), when === 'now' ? {} : { cancel_at_cycle_end: 1 })
  }

const push =
  ({ ask, pathOf }: Client): Payments['push'] =>
  async ({ subscriptionId, period, quantity, isSecondTry }) => {
    const name = `Sessions beyond the plan, ${period}`
    if (isSecondTry) {
      const isOurs = (one: z.output<typeof shapes.addonShape>) =>
        one.subscription_id === subscriptionId && one.item.name === name
      if (await findIn(ask, '/addons?', shapes.addonShape, isOurs)) return
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
    const read = shapes.eventShape.safeParse(readSignedJson(bytes))
    const eventId = headers['x-razorpay-event-id']
    if (!read.success || !eventId || eventId.length > 200)
      throw new ServiceError('invalid_request', 'the message is not a Razorpay event')
    const { subscription, invoice } = read.data.payload
    return {
      eventId,
      orgId: shapes.noteIn(subscription?.entity.notes, 'org'),
      subscriptionId: subscription?.entity.id ?? invoice?.entity.subscription_id ?? undefined,
    }
  }

/** Razorpay. It knows no idempotency: what may have been made before is looked for first. */
export const createRazorpay = (config: RazorpaySettings, http: Pick<HttpOut, 'request'>): Payments => {
  const client = clientOf(config, http)
  return {
    name: 'razorpay',
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
