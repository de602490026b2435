import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHttpOut, type HttpOut } from '../http-out/http-out.ts'
import { createRazorpay } from './razorpay.ts'
import type { Payments } from './types.ts'

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
}

const entity = (id: string, more: object = {}) => ({
  id,
  entity: 'subscription',
  plan_id: 'plan_tm',
  status: 'active',
  customer_id: 'cust_1',
  quantity: 1,
  current_start: 1_790_000_000,
  current_end: 1_792_592_000,
  notes: { org: 'org_1' },
  ...more,
})

describe('Razorpay', () => {
  let http: HttpOut
  let url: string
  let payments: Payments
  const asked: Asked[] = []
  let answers: Record<string, { status?: number; body: object }> = {}
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const { pathname, search } = new URL(request.url ?? '/', 'http://double')
      const path = `${pathname}${search}`
      asked.push({ method: request.method ?? '', path, body: text === '' ? {} : JSON.parse(text) })
      const isOurs = request.headers.authorization === `Basic ${Buffer.from('rzp_test_1:secret').toString('base64')}`
      const known = isOurs ? answers[`${request.method} ${pathname}`] : { status: 401, body: {} }
      const { status = 200, body } = known ?? {
        status: 400,
        body: { error: { code: 'BAD_REQUEST_ERROR', description: 'The id provided does not exist' } },
      }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    http = createHttpOut({ allowPrivate: true, isInTransaction: () => false })
    const plans = { 'team.month': 'plan_tm', 'business.month': 'plan_bm' }
    const settings = { api: url, keyId: 'rzp_test_1', keySecret: 'secret', webhookSecret: 'rzp_webhook_secret', plans }
    payments = createRazorpay(settings, http)
  })
  beforeEach(() => {
    asked.splice(0)
    answers = {}
  })
  afterAll(async () => {
    await http.close()
    server.closeAllConnections()
    server.close()
  })

  const wish: Parameters<Payments['checkoutRequest']>[0] = {
    orgId: 'org_1',
    plan: 'team',
    interval: 'month',
    currency: 'INR',
    returnTo: 'https://x.example/',
    now: 1_790_000_000_000,
    key: 'wish-1',
  }
  const checkout = async () => payments.checkout(await payments.checkoutRequest(wish), wish.key)
  const row = 'sub_1'

  it('looks for a page that was opened for the same wish before it opens one', async () => {
    answers = {
      'GET /v1/subscriptions': { body: { items: [] } },
      'POST /v1/subscriptions': {
        body: entity('sub_new', { status: 'created', short_url: 'https://rzp.example/i/1' }),
      },
    }
    const first = await checkout()
    expect(first).toMatchObject({ id: 'sub_new', url: 'https://rzp.example/i/1' })
    expect(asked.at(-1)?.body).toMatchObject({
      plan_id: 'plan_tm',
      total_count: 120,
      quantity: 1,
      customer_notify: false,
      notes: { org: 'org_1', wish: 'wish-1', plan: 'team', interval: 'month' },
    })
    const notes = { org: 'org_1', wish: 'wish-1' }
    const made = entity('sub_new', { status: 'created', short_url: 'https://rzp.example/i/1', notes })
    answers = { 'GET /v1/subscriptions': { body: { items: [entity('sub_else', { notes: [] }), made] } } }
    asked.splice(0)
    expect((await checkout()).id).toBe('sub_new')
    expect(asked.map(({ method }) => method)).toEqual(['GET'])
  })

  it('reads what it says, and tells apart what it does not know from what it does not recognise', async () => {
    answers = { 'GET /v1/subscriptions/sub_1': { body: entity('sub_1', { status: 'halted' }) } }
    expect(await payments.read('sub_1')).toEqual({
      orgId: 'org_1',
      provider: 'razorpay',
      subscriptionId: 'sub_1',
      customerId: 'cust_1',
      itemId: null,
      bought: { plan: 'team', interval: 'month' },
      named: undefined,
      status: 'unpaid',
      seats: 1,
      cancelAtPeriodEnd: false,
      cancelAt: null,
      startedAt: 1_790_000_000_000,
      periodStart: 1_790_000_000_000,
      periodEnd: 1_792_592_000_000,
    })
    expect(await payments.read('sub_nobody')).toBeUndefined()
    const old = entity('sub_2', { notes: [], plan_id: 'plan_of_last_year', status: 'a_new_one' })
    answers = { 'GET /v1/subscriptions/sub_2': { body: old } }
    expect(await payments.read('sub_2')).toMatchObject({ orgId: undefined, bought: undefined, status: undefined })
    answers = { 'GET /v1/subscriptions/sub_1': { status: 400, body: { error: { description: 'Bad input' } } } }
    await expect(payments.read('sub_1')).rejects.toThrow('Bad input')
  })

  it('cancels at the end of a cycle only when it is asked to', async () => {
    answers = { 'POST /v1/subscriptions/sub_1/cancel': { body: entity('sub_1') } }
    await payments.cancel(row, 'period_end', '')
    await payments.cancel(row, 'now', '')
    expect(asked.map(({ body }) => body)).toEqual([{ cancel_at_cycle_end: 1 }, {}])
  })

  it('bills what goes beyond the plan once: a second try looks first', async () => {
    const of = { subscriptionId: 'sub_1', customerId: null, orgId: 'org_1' }
    const used = { ...of, period: '2026-10', quantity: 7, stamp: 0 }
    const name = 'Sessions beyond the plan, 2026-10'
    answers = { 'POST /v1/subscriptions/sub_1/addons': { body: { id: 'ao_1' } } }
    await payments.push({ ...used, isSecondTry: false })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.body).toEqual({ item: { name, amount: 9900, currency: 'INR' }, quantity: 7 })
    asked.splice(0)
    const there = { items: [{ subscription_id: 'sub_1', item: { name } }] }
    answers = { ...answers, 'GET /v1/addons': { body: there } }
    await payments.push({ ...used, isSecondTry: true })
    expect(asked.map(({ method }) => method)).toEqual(['GET'])
    answers = { ...answers, 'GET /v1/addons': { body: { items: [] } } }
    await payments.push({ ...used, isSecondTry: true })
    expect(asked.at(-1)?.method).toBe('POST')
  })

  it('believes a message that it has signed, and no other', () => {
    const bytes = Buffer.from('{"entity":"event","event":"subscription.charged"}')
    const signature = 'd34fdb9eb600b964b58b21a9259470aae1cc0cd0ff2999797d0c7fe9c8c894a4'
    expect(createHmac('sha256', 'rzp_webhook_secret').update(bytes).digest('hex')).toBe(signature)
    const payload = { subscription: { entity: { id: 'sub_1', notes: { org: 'org_1' } } } }
    const whole = Buffer.from(JSON.stringify({ entity: 'event', event: 'subscription.charged', payload }))
    const signed = createHmac('sha256', 'rzp_webhook_secret').update(whole).digest('hex')
    const headers = { 'x-razorpay-signature': signed, 'x-razorpay-event-id': 'evt_1' }
    const news = (more: object, given = whole) =>
      payments.news({ bytes: given, headers: { ...headers, ...more }, now: 0 })
    expect(news({})).toEqual({ eventId: 'evt_1', orgId: 'org_1', subscriptionId: 'sub_1' })
    expect(() => news({ 'x-razorpay-signature': signature })).toThrow('not signed by Razorpay')
    expect(() => news({}, Buffer.concat([whole, Buffer.from(' ')]))).toThrow('not signed by Razorpay')
    expect(() => news({ 'x-razorpay-event-id': undefined })).toThrow('not a Razorpay event')
  })

  it('says why it refuses, and that it is down when it is', async () => {
    answers = {
      'POST /v1/subscriptions/sub_1/cancel': {
        status: 400,
        body: { error: { description: 'It is cancelled already.' } },
      },
    }
    await expect(payments.cancel(row, 'now', '')).rejects.toThrow('It is cancelled already.')
    answers = { 'POST /v1/subscriptions/sub_1/cancel': { status: 502, body: {} } }
    await expect(payments.cancel(row, 'now', '')).rejects.toThrow('cannot be asked at the moment')
  })
})
