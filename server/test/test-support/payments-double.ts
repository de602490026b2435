import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  stop(): Promise<void>
}

const readAll = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

const priceOf = (key: string) => `price_${key}`
const shown = (one: TheirSubscription) => ({
  ...{ id: one.id, object: 'subscription', status: one.status, customer: 'cus_1' },
  ...{ cancel_at_period_end: one.cancels, metadata: { org: one.org } },
  items: {
    data: [
      {
        ...{ id: one.item, quantity: one.quantity, price: { id: priceOf(one.key), lookup_key: one.key } },
        ...{ current_period_start: 1_790_000_000, current_period_end: 1_792_592_000 },
      },
    ],
  },
})

class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
const need = (fields: Record<string, string>, ...names: string[]): void => {
  for (const name of names) if (!fields[name]) throw new Refused(400, `Missing required param: ${name}.`)
}

/** Stripe's API as far as it is called, strict about what it is sent (api version 2026-10-28.endive). */
export const startPaymentsDouble = async (): Promise<PaymentsDouble> => {
  const sessions = new Map<string, object>()
  const double: Omit<PaymentsDouble, 'url' | 'stop'> = {
    ...{ asked: [], subscriptions: new Map(), meter: [], fault: undefined, invoices: [] },
  }
  const answer = (method: string, path: string, fields: Record<string, string>, key: string): object => {
    const [, id = ''] = /^\/v1\/subscriptions\/(\w+)$/.exec(path) ?? []
    if (path === '/v1/prices') {
      need(fields, 'lookup_keys[0]', 'active')
      const wanted = fields['lookup_keys[0]'] ?? ''
      return { object: 'list', data: [{ id: priceOf(wanted), lookup_key: wanted }] }
    }
    if (path === '/v1/checkout/sessions' && method === 'POST') {
      need(fields, 'mode', 'line_items[0][price]', 'line_items[0][quantity]', 'success_url', 'client_reference_id')
      if ('payment_method_types' in fields) throw new Refused(400, 'Received unknown parameter: payment_method_types')
      const known = sessions.get(key)
      const made = known ?? {
        id: `cs_${sessions.size}`,
        url: `https://checkout.example/${sessions.size}`,
        expires_at: Number(fields['expires_at']),
      }
      sessions.set(key, made)
      return made
    }
    if (path === '/v1/invoices') return { object: 'list', data: double.invoices, has_more: false }
    if (path === '/v1/billing/meter_events') {
      need(fields, 'event_name', 'identifier', 'payload[stripe_customer_id]', 'payload[value]')
      const identifier = fields['identifier'] ?? ''
      if (double.meter.some((one) => one.identifier === identifier))
        throw new Refused(400, `An event already exists with identifier ${identifier}.`)
      double.meter.push({
        identifier,
        value: fields['payload[value]'] ?? '',
        customer: fields['payload[stripe_customer_id]'] ?? '',
      })
      return { object: 'billing.meter_event', identifier }
    }
    const one = double.subscriptions.get(id)
    if (!one) throw new Refused(404, `No such subscription: '${id}'`)
    if (method === 'DELETE') one.status = 'canceled'
    if (method === 'POST') {
      if (fields['items[0][price]']) {
        need(fields, 'items[0][id]')
        if (fields['items[0][id]'] !== one.item) throw new Refused(400, 'No such subscription item')
        one.key = (fields['items[0][price]'] ?? '').replace('price_', '')
      }
      if (fields['cancel_at_period_end']) one.cancels = fields['cancel_at_period_end'] === 'true'
    }
    return shown(one)
  }
  const server = createServer((request, response) => {
    void readAll(request).then((body) => {
      const url = new URL(request.url ?? '/', 'http://double')
      const { method = 'GET', headers } = request
      const fields = Object.fromEntries(new URLSearchParams(method === 'POST' ? body : url.search))
      double.asked.push({ method, path: url.pathname, fields, headers })
      const fault = double.fault?.(url.pathname)
      if (fault === 'cut') return request.socket.destroy()
      const send = (status: number, json: object) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
      }
      if (fault) return send(fault.status, fault.body)
      try {
        if (headers['stripe-version'] !== '2026-10-28.endive') throw new Refused(400, 'another version')
        if (headers.authorization !== 'Bearer sk_test_1') throw new Refused(401, 'Invalid API Key provided')
        send(200, answer(method, url.pathname, fields, String(headers['idempotency-key'] ?? '')))
      } catch (error) {
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
