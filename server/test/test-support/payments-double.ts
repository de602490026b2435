import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AskedOfPeer, described } from './described.ts'

export interface TheirSubscription {
  id: string
  status: string
  key: string
  item: string
  org: string
  quantity: number
  cancels: boolean
}

/** What a payment provider knows, and what it was asked. */
export interface PaymentsDouble {
  readonly url: string
  readonly asked: {
    method: string
    path: string
    fields: Record<string, string>
    headers: IncomingMessage['headers']
  }[]
  readonly subscriptions: Map<string, TheirSubscription>
  readonly meter: { identifier: string; value: string; customer: string }[]
  /** Answers in place of the usual one: a status and a body, or the connection cut. */
  fault: ((path: string) => { status: number; body: object } | 'cut' | undefined) | undefined
  invoices: object[]
  /** What was asked or answered in another way than the description says. */
  readonly broken: string[]
  /** Somebody pays on a hosted page, which makes a subscription. */
  pay(checkoutId: string, subscriptionId: string): void
  stop(): Promise<void>
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

const stripe = described('stripe')
const priceOf = (key: string) => `price_${key}`

interface Example {
  readonly items: { readonly data: readonly [{ readonly price: object }] }
  readonly data: readonly [object]
}
const shown = (one: TheirSubscription, example: Example) => {
  const [item] = example.items.data
  const price = { ...item.price, id: priceOf(one.key), lookup_key: one.key }
  return {
    ...{ ...example, id: one.id, status: one.status, cancel_at_period_end: one.cancels, metadata: { org: one.org } },
    items: { ...example.items, data: [{ ...item, id: one.item, quantity: one.quantity, price }] },
  }
}

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
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

/** Stripe's API as far as it is called, held to its description (api version 2026-10-28.endive). */
export const startPaymentsDouble = async (): Promise<PaymentsDouble> => {
  const sessions = new Map<string, Opened>()
  const double: Omit<PaymentsDouble, 'url' | 'stop'> = {
    ...{ asked: [], broken: [], subscriptions: new Map(), meter: [], fault: undefined, invoices: [] },
    pay(checkoutId, subscription) {
      const session = [...sessions.values()].find(({ id }) => id === checkoutId)
      if (!session) throw new Error(`no page ${checkoutId}`)
      Object.assign(session, { status: 'complete', payment_status: 'paid', subscription })
    },
  }
  const open = (key: string, fields: Record<string, string>, example: object): object => {
    const n = sessions.size
    const made = sessions.get(key) ?? {
      ...{ id: `cs_${n}`, url: `https://checkout.example/${n}`, expires_at: Number(fields['expires_at']) },
      ...{ status: 'open' as const, payment_status: 'unpaid' as const, subscription: null },
    }
    sessions.set(key, made)
    return { ...example, ...made, client_reference_id: fields['client_reference_id'] }
  }
  const meter = (fields: Record<string, string>, example: object): object => {
    const { identifier = '' } = fields
    if (double.meter.some((one) => one.identifier === identifier))
      throw new Refused(400, `An event already exists with identifier ${identifier}.`)
    const value = fields['payload[value]'] ?? ''
    double.meter.push({ identifier, value, customer: fields['payload[stripe_customer_id]'] ?? '' })
    return { ...example, identifier }
  }
  const subscription = (method: string, id: string, fields: Record<string, string>, example: Example): object => {
    const one = double.subscriptions.get(id)
    if (!one) throw new Refused(404, `No such subscription: '${id}'`)
    if (method === 'DELETE') one.status = 'canceled'
    if (method === 'POST') {
      if (fields['items[0][price]']) {
        if (fields['items[0][id]'] !== one.item) throw new Refused(400, 'No such subscription item')
        one.key = (fields['items[0][price]'] ?? '').replace('price_', '')
      }
      if (fields['cancel_at_period_end']) one.cancels = fields['cancel_at_period_end'] === 'true'
    }
    return shown(one, example)
  }
  const answer = (asked: AskedOfPeer, fields: Record<string, string>, example: Example): object => {
    const { method, path, headers } = asked
    const [, kind = '', id = ''] = /^\/v1\/(subscriptions|checkout\/sessions)\/(\w+)$/.exec(path) ?? []
    if (kind === 'subscriptions') return subscription(method, id, fields, example)
    if (kind !== '') {
      const session = [...sessions.values()].find((one) => one.id === id)
      if (!session) throw new Refused(404, 'No such checkout session')
      return { ...example, ...session }
    }
    if (path === '/v1/checkout/sessions') return open(String(headers['idempotency-key']), fields, example)
    if (path === '/v1/billing/meter_events') return meter(fields, example)
    const [first] = example.data
    if (path === '/v1/invoices') return { ...example, data: double.invoices.map((one) => ({ ...first, ...one })) }
    const wanted = fields['lookup_keys[0]'] ?? ''
    return { ...example, data: [{ ...first, id: priceOf(wanted), lookup_key: wanted }] }
  }
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://double')
      const { method = 'GET', headers } = request
      const asked: AskedOfPeer = { method, path: url.pathname, query: url.searchParams, headers, body }
      const fields = Object.fromEntries(new URLSearchParams(method === 'POST' ? body : url.search))
      double.asked.push({ method, path: url.pathname, fields, headers })
      const fault = double.fault?.(url.pathname)
      if (fault === 'cut') return request.socket.destroy()
      const send = (status: number, json: object) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
      }
      if (fault) return send(fault.status, fault.body)
      try {
        const wrong = stripe.wrongIn(asked)
        double.broken.push(...wrong)
        if (wrong.length > 0) throw new Refused(400, wrong.join('\n'))
        if (headers.authorization !== 'Bearer sk_test_1') throw new Refused(401, 'Invalid API Key provided')
        const said = answer(asked, fields, stripe.example(asked).body)
        double.broken.push(...stripe.wrongInAnswer(asked, said))
        send(200, said)
      } catch (error) {
        if (!(error instanceof Refused)) double.broken.push(String(error))
        send(error instanceof Refused ? error.status : 500, { error: { message: (error as Error).message } })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(double, {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  })
}
