import type { AskedOfPeer } from './described.ts'
import { described } from './described.ts'
import { listen } from './peer-server.ts'

export interface TheirSubscription {
  id: string
  status: string
  /** The lookup key of its price; null once it was transferred to a newer price. */
  key: string | null
  item: string
  org: string
  quantity: number
  cancels: boolean
  /** Seconds. */
  cancelAt?: number | null
  periodEnd?: number
  created?: number
  metadata?: Record<string, string>
  /** The lookup key of the metered price, where it has one. */
  beyond?: string
}

export type Fault = { status: number; body: object } | 'cut' | 'lost' | undefined

/** What a payment provider knows, and what it was asked. */
export interface StripeDouble {
  readonly asked: {
    method: string
    path: string
    fields: Record<string, string>
    headers: AskedOfPeer['headers']
  }[]
  readonly subscriptions: Map<string, TheirSubscription>
  readonly meter: { identifier: string; value: string; customer: string; at: number }[]
  /** The same by the time that each is for, as the sums of the meter have it. */
  readonly stamps: { customer: string; at: number; value: number }[]
  /** Answers in place of the usual one: a status and a body; the connection cut before, or once it is done. */
  fault: ((path: string, method: string) => Fault) | undefined
  invoices: object[]
  /** What was asked or answered in another way than the description says. */
  readonly broken: string[]
  /** Epoch milliseconds. */
  now: () => number
  /** Lookup keys that the operator has made no price for. */
  readonly without: Set<string>
  /** Somebody pays on a hosted page, which makes a subscription. */
  pay(checkoutId: string, subscriptionId: string): void
  pages(): readonly { readonly id: string; readonly status: string }[]
  handle(asked: AskedOfPeer): Promise<{ status: number; body: object } | 'cut'>
}
export interface PaymentsDouble extends StripeDouble {
  readonly url: string
  stop(): Promise<void>
}

const stripe = described('stripe')
const priceOf = (key: string) => `price_${key}`
const day = 86_400

interface Example {
  readonly items: { readonly data: readonly [{ readonly price: object }] }
  readonly data: readonly [object]
}
const shown = (one: TheirSubscription, example: Example) => {
  const [item] = example.items.data
  const priced = (id: string, key: string | null, quantity?: number) => {
    const { quantity: _, ...bare } = item as { quantity?: number; price: object }
    const price = { ...item.price, id: priceOf(key ?? 'of_before'), lookup_key: key }
    const end = one.periodEnd === undefined ? {} : { current_period_end: one.periodEnd }
    return { ...bare, id, ...end, ...(quantity !== undefined && { quantity }), price }
  }
  const metadata = { ...(one.org === '' ? {} : { org: one.org }), ...one.metadata }
  return {
    ...example,
    id: one.id,
    status: one.status,
    cancel_at_period_end: one.cancels,
    metadata,
    cancel_at: one.cancelAt ?? null,
    ...(one.created !== undefined && { created: one.created }),
    items: {
      ...example.items,
      data: [
        ...(one.beyond === undefined ? [] : [priced(`${one.item}_beyond`, one.beyond)]),
        priced(one.item, one.key, one.quantity),
      ],
    },
  }
}

class Refused extends Error {
  readonly status: number
  readonly type: string
  constructor(status: number, message: string, type = 'invalid_request_error') {
    super(message)
    this.status = status
    this.type = type
  }
}

interface Opened {
  readonly id: string
  readonly url: string
  readonly expires_at: number
  status: 'open' | 'complete'
  payment_status: 'paid' | 'unpaid'
  subscription: string | null
}
type Fields = Record<string, string>

/** Stripe's API as far as it is called, held to its description (api version 2026-10-28.endive) and its rules. */
export const createStripeDouble = (): StripeDouble => {
  const sessions = new Map<string, Opened>()
  /** Requests by their key: for a day the same is answered the same, and another one is refused. */
  const known = new Map<string, { request: string; at: number; said: object }>()
  const double: StripeDouble = {
    asked: [],
    broken: [],
    subscriptions: new Map(),
    meter: [],
    stamps: [],
    fault: undefined,
    invoices: [],
    now: Date.now,
    without: new Set(),
    pages: () => [...sessions.values()],
    pay(checkoutId, subscription) {
      const session = sessions.get(checkoutId)
      if (!session) throw new Error(`no page ${checkoutId}`)
      Object.assign(session, { status: 'complete', payment_status: 'paid', subscription })
    },
    handle: (asked) => handle(asked),
  }
  const seconds = () => Math.floor(double.now() / 1000)
  const priceExists = (price: string | undefined): void => {
    if (price !== undefined && double.without.has(price.replace('price_', ''))) throw new Refused(400, 'No such price')
  }
  const open = (fields: Fields, example: object): object => {
    const n = sessions.size
    const expires = Number(fields['expires_at'])
    if (expires < seconds() + 1800 || expires > seconds() + day)
      throw new Refused(400, 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
    if (fields['line_items[1][quantity]'] !== undefined) throw new Refused(400, 'Quantity should not be specified')
    priceExists(fields['line_items[0][price]'])
    const made: Opened = {
      id: `cs_${n}`,
      url: `https://checkout.example/${n}`,
      expires_at: expires,
      status: 'open',
      payment_status: 'unpaid',
      subscription: null,
    }
    sessions.set(made.id, made)
    return { ...example, ...made, client_reference_id: fields['client_reference_id'] }
  }
  const meter = (fields: Fields, example: object): object => {
    const { identifier = '' } = fields
    const at = Number(fields['timestamp'])
    if (at < seconds() - 35 * day || at > seconds() + 300)
      throw new Refused(400, 'The timestamp must be within the past 35 days and not more than 5 minutes in the future.')
    if (double.meter.some((one) => one.identifier === identifier && one.at > seconds() - day))
      throw new Refused(400, `An event already exists with identifier ${identifier}.`)
    const value = fields['payload[value]'] ?? ''
    double.meter.push({ identifier, value, customer: fields['payload[stripe_customer_id]'] ?? '', at: seconds() })
    double.stamps.push({ customer: fields['payload[stripe_customer_id]'] ?? '', at, value: Number(value) })
    return { ...example, identifier }
  }
  const summaries = (fields: Fields, example: Example): object => {
    const [from, to] = [Number(fields['start_time']), Number(fields['end_time'])]
    if (from % 60 !== 0 || to % 60 !== 0) throw new Refused(400, 'start_time must align with minute boundaries')
    const within = double.stamps.filter(({ customer, at }) => customer === fields['customer'] && at >= from && at < to)
    const aggregated = within.reduce((sum, { value }) => sum + value, 0)
    const one = { ...example.data[0], aggregated_value: aggregated, start_time: from, end_time: to }
    return { ...example, data: within.length === 0 ? [] : [one] }
  }
  const change = (one: TheirSubscription, fields: Fields): void => {
    if (one.status === 'canceled')
      throw new Refused(400, 'A canceled subscription can only update its cancellation_details and metadata.')
    if (fields['items[0][price]']) {
      if (fields['items[0][id]'] !== one.item) throw new Refused(400, 'No such subscription item')
      priceExists(fields['items[0][price]'])
      one.key = (fields['items[0][price]'] ?? '').replace('price_', '')
    }
    const beyond = fields['items[1][price]']
    if (beyond !== undefined) {
      const isAdded = fields['items[1][id]'] === undefined
      if (isAdded === (one.beyond !== undefined))
        throw new Refused(400, 'it has the metered price twice, or not at all')
      one.beyond = beyond.replace('price_', '')
    }
    if (fields['cancel_at_period_end']) one.cancels = fields['cancel_at_period_end'] === 'true'
  }
  const subscription = (method: string, id: string, fields: Fields, example: Example): object => {
    const one = double.subscriptions.get(id)
    if (!one || (method === 'DELETE' && one.status === 'canceled'))
      throw new Refused(404, `No such subscription: '${id}'`)
    if (method === 'DELETE') one.status = 'canceled'
    if (method === 'POST') change(one, fields)
    return shown(one, example)
  }
  const answer = ({ method, path }: AskedOfPeer, fields: Fields, example: Example): object => {
    const [, kind = '', id = ''] = /^\/v1\/(subscriptions|checkout\/sessions)\/(\w+)$/.exec(path) ?? []
    if (kind === 'subscriptions') return subscription(method, id, fields, example)
    if (kind !== '') {
      const session = sessions.get(id)
      if (!session) throw new Refused(404, 'No such checkout session')
      return { ...example, ...session }
    }
    if (path === '/v1/checkout/sessions') return open(fields, example)
    if (path === '/v1/billing/meter_events') return meter(fields, example)
    if (path === '/v1/billing/meters') return example
    if (path.endsWith('/event_summaries')) return summaries(fields, example)
    const [first] = example.data
    if (path === '/v1/invoices') return { ...example, data: double.invoices.map((one) => ({ ...first, ...one })) }
    const wanted = fields['lookup_keys[0]'] ?? ''
    const found = double.without.has(wanted) ? [] : [{ ...first, id: priceOf(wanted), lookup_key: wanted }]
    return { ...example, data: found }
  }
  /** What they do with `Idempotency-Key`. */
  const once = (asked: AskedOfPeer, work: () => object): object => {
    const key = asked.headers['idempotency-key']
    if (typeof key !== 'string' || asked.method !== 'POST') return work()
    const request = `${asked.path} ${asked.body}`
    const before = known.get(key)
    if (before && before.at > double.now() - day * 1000) {
      if (before.request === request) return before.said
      const words = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
      throw new Refused(400, `${words} Try using a key other than '${key}'.`, 'idempotency_error')
    }
    const said = work()
    known.set(key, { request, at: double.now(), said })
    return said
  }
  const respond = (asked: AskedOfPeer, fields: Fields): { status: number; body: object } => {
    try {
      const wrong = stripe.wrongIn(asked)
      double.broken.push(...wrong)
      if (wrong.length > 0) throw new Refused(400, wrong.join('\n'))
      if (asked.headers['authorization'] !== 'Bearer sk_test_1') throw new Refused(401, 'Invalid API Key provided')
      const said = once(asked, () => answer(asked, fields, stripe.example(asked).body))
      double.broken.push(...stripe.wrongInAnswer(asked, said))
      return { status: 200, body: said }
    } catch (error) {
      if (!(error instanceof Refused)) double.broken.push(String(error))
      const { message } = error as Error
      if (error instanceof Refused) return { status: error.status, body: { error: { type: error.type, message } } }
      return { status: 500, body: { error: { message } } }
    }
  }
  const handle: StripeDouble['handle'] = (asked) => {
    const { method, path, headers, body } = asked
    const fields = Object.fromEntries(method === 'POST' ? new URLSearchParams(body) : asked.query)
    double.asked.push({ method, path, fields, headers })
    const fault = double.fault?.(path, method)
    if (fault === 'cut') return Promise.resolve('cut')
    if (typeof fault === 'object') return Promise.resolve(fault)
    const said = respond(asked, fields)
    return Promise.resolve(fault === 'lost' ? 'cut' : said)
  }
  return double
}

export const startPaymentsDouble = async (): Promise<PaymentsDouble> => {
  const double = createStripeDouble()
  return Object.assign(double, await listen((asked) => double.handle(asked)))
}
