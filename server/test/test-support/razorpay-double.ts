import { type AskedOfPeer, described } from './described.ts'
import { listen } from './peer-server.ts'

interface Theirs {
  readonly id: string
  plan_id: string
  status: string
  quantity: number
  notes: Record<string, string>
  created_at: number
  current_start?: number | null
  current_end?: number | null
}

/** What Razorpay knows, and what it was asked. */
export interface RazorpayCore {
  readonly asked: AskedOfPeer[]
  /** What was asked or answered in another way than its description says. */
  readonly broken: string[]
  readonly subscriptions: Map<string, Theirs>
  readonly addons: { id: string; subscription_id: string; item: { name: string; amount: number }; quantity: number }[]
  invoices: object[]
  /** Answers in place of the usual one: a status and a body; the connection cut before, or once it is done. */
  fault: ((path: string, method: string) => { status: number; body: object } | 'cut' | 'lost' | undefined) | undefined
  handle(asked: AskedOfPeer): Promise<{ status: number; body: object } | 'cut'>
}
export interface RazorpayDouble extends RazorpayCore {
  readonly url: string
  stop(): Promise<void>
}
type Double = RazorpayCore

class Refused extends Error {}

export const razorpayPlans = {
  'team.month': 'plan_tm',
  'team.year': 'plan_ty',
  'business.month': 'plan_bm',
  'business.year': 'plan_by',
} as const
const authorization = `Basic ${Buffer.from('rzp_test_1:secret').toString('base64')}`
const razorpay = described('razorpay')

/** A list as they page it: `count` of them, behind `skip`. */
const paged = (example: object, query: URLSearchParams, all: readonly object[]): object => {
  const skip = Number(query.get('skip') ?? 0)
  const items = all.slice(skip, skip + Number(query.get('count') ?? 10))
  return { ...example, count: items.length, items }
}

const changed = (double: Double, { method, path, body }: AskedOfPeer): Theirs => {
  const [, id = '', verb] = /^\/v1\/subscriptions\/(\w+?)(\/\w+)?$/.exec(path) ?? []
  const one = double.subscriptions.get(id)
  if (!one) throw new Refused('The id provided does not exist')
  const given = body === '' ? {} : JSON.parse(body)
  if (verb === '/cancel') {
    if (['created', 'expired', 'cancelled', 'completed'].includes(one.status))
      throw new Refused('Subscription is not cancellable')
    // At the end of a cycle: nothing in the subscription says so.
    if (!given.cancel_at_cycle_end) one.status = 'cancelled'
  } else if (method === 'PATCH') {
    if (!['active', 'authenticated'].includes(one.status)) throw new Refused('Subscription cannot be updated')
    one.plan_id = given.plan_id ?? one.plan_id
  }
  return one
}

const answer = (double: Double, asked: AskedOfPeer, example: { items: [object]; notes: object }): object => {
  const { method, path, query, body } = asked
  const [first] = example.items ?? [{}]
  if (path === '/v1/invoices') return paged(example, query, double.invoices)
  if (path === '/v1/addons')
    return paged(
      example,
      query,
      double.addons.map((one) => ({ ...first, ...one })),
    )
  if (path === '/v1/subscriptions' && method === 'GET') {
    const of = [...double.subscriptions.values()].filter((one) => one.plan_id === query.get('plan_id'))
    return paged(
      example,
      query,
      of.map((one) => ({ ...first, ...one })),
    )
  }
  if (path === '/v1/subscriptions') {
    const { plan_id, quantity = 1, notes } = JSON.parse(body)
    const id = `sub_rzp${double.subscriptions.size + 1}`
    const made = { id, plan_id, status: 'created', quantity, notes, created_at: 1_790_000_000 }
    double.subscriptions.set(id, made)
    return { ...example, ...made, short_url: `https://rzp.example/i/${id}` }
  }
  const [, of = ''] = /^\/v1\/subscriptions\/(\w+)\/addons$/.exec(path) ?? []
  if (of !== '') {
    const to = double.subscriptions.get(of)
    if (!to) throw new Refused('The id provided does not exist')
    if (['cancelled', 'completed', 'expired'].includes(to.status)) throw new Refused('Subscription has ended')
    const addon = { id: `ao_${double.addons.length + 1}`, subscription_id: of, ...JSON.parse(body) }
    double.addons.push(addon)
    return { ...example, ...addon }
  }
  return { ...example, ...changed(double, asked) }
}

const respond = (double: Double, asked: AskedOfPeer): { status: number; body: object } => {
  const refuse = (status: number, description: string) => ({
    status,
    body: { error: { code: 'BAD_REQUEST_ERROR', description } },
  })
  const wrong = razorpay.wrongIn(asked)
  double.broken.push(...wrong)
  if (wrong.length > 0) return refuse(400, wrong.join('\n'))
  if (asked.headers['authorization'] !== authorization) return refuse(401, 'Authentication failed')
  try {
    const said = answer(double, asked, razorpay.example(asked).body)
    double.broken.push(...razorpay.wrongInAnswer(asked, said))
    return { status: 200, body: said }
  } catch (error) {
    if (!(error instanceof Refused)) double.broken.push(String(error))
    return refuse(400, (error as Error).message)
  }
}

/** Razorpay's API as far as it is called, held to its description. It has no keys: what is sent twice is made twice. */
export const createRazorpayDouble = (): RazorpayCore => {
  const double: RazorpayCore = {
    asked: [],
    broken: [],
    subscriptions: new Map(),
    addons: [],
    invoices: [],
    fault: undefined,
    handle: (asked) => {
      double.asked.push(asked)
      const fault = double.fault?.(asked.path, asked.method)
      if (fault === 'cut') return Promise.resolve('cut')
      if (typeof fault === 'object') return Promise.resolve(fault)
      const said = respond(double, asked)
      return Promise.resolve(fault === 'lost' ? 'cut' : said)
    },
  }
  return double
}

export const startRazorpayDouble = async (): Promise<RazorpayDouble> => {
  const double = createRazorpayDouble()
  return Object.assign(double, await listen((asked) => double.handle(asked)))
}
