import { graceDays, type PaymentProvider, paymentProviders } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { billingJobs } from '../../../src/domains/administration/billing/billing.jobs.ts'
import {
  cancelSubscription,
  changePlan,
  openCheckout,
} from '../../../src/domains/administration/billing/billing.service.ts'
import { meterPeriod } from '../../../src/domains/administration/billing/metering.service.ts'
import { takeSubscription } from '../../../src/domains/administration/billing/refreshing.service.ts'
import { planOf } from '../../../src/domains/organisation/plans/plans.service.ts'
import { createStripeDouble } from '../../test-support/payments-double.ts'
import { inPlaceOfNetwork } from '../../test-support/peer-server.ts'
import { proofSeeds, proofSize, seededRandom } from '../../test-support/proof.ts'
import { createRazorpayDouble, razorpayPlans } from '../../test-support/razorpay-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const minute = 60_000
const day = 86_400_000
const histories = proofSize({ small: 60, large: 2500 })

type State = 'active' | 'past_due' | 'unpaid' | 'paused' | 'cancelled'
type Plan = 'free' | 'team' | 'business'
/** A subscription as it truly is, with what it was bought or changed to. */
interface True {
  readonly id: string
  plan: 'team' | 'business'
  state: State
  /** When it ends, where that was asked for. */
  cancelAt: number | undefined
  /** Since when we know of a charge that is owed, or given up. */
  owedSince: number | undefined
  givenUpSince: number | undefined
}

/** The reference: what an organisation has a right to, from the truth alone. */
const right = (subscriptions: readonly True[], now: number): Plan => {
  const gives = ({ state, cancelAt, owedSince, givenUpSince }: True): boolean => {
    if (cancelAt !== undefined && now >= cancelAt) return false
    if (state === 'active') return true
    if (state !== 'past_due' && state !== 'unpaid') return false
    const retrying = (owedSince ?? now) + graceDays.retrying * day
    return now < Math.min(retrying, givenUpSince === undefined ? retrying : givenUpSince + graceDays.givenUp * day)
  }
  const plans = subscriptions.filter(gives).map(({ plan }) => plan)
  return plans.includes('business') ? 'business' : plans.includes('team') ? 'team' : 'free'
}
const become = (one: True, state: State, now: number): void => {
  const owes = state === 'past_due' || state === 'unpaid'
  one.owedSince = owes ? (one.owedSince ?? now) : undefined
  one.givenUpSince = owes ? (one.givenUpSince ?? (state === 'unpaid' ? now : undefined)) : undefined
  one.state = state
}

/** A provider whose pages and dashboard do what they are told. */
const sideOf = (provider: PaymentProvider, orgId: string, now: () => number) => {
  const stripe = createStripeDouble()
  const razorpay = createRazorpayDouble()
  stripe.now = now
  const states = {
    stripe: { active: 'active', past_due: 'past_due', unpaid: 'unpaid', paused: 'paused', cancelled: 'canceled' },
    razorpay: { active: 'active', past_due: 'pending', unpaid: 'halted', paused: 'paused', cancelled: 'cancelled' },
  } as const
  const double = provider === 'stripe' ? stripe : razorpay
  const seconds = () => Math.floor(now() / 1000)
  const write = (one: True, { priceIsOld = false } = {}): void => {
    const periodEnd = seconds() + 20 * 86_400
    if (provider === 'stripe') {
      const before = stripe.subscriptions.get(one.id)
      stripe.subscriptions.set(one.id, {
        item: `si_${one.id}`,
        org: orgId,
        quantity: 1,
        cancels: false,
        created: seconds(),
        ...before,
        id: one.id,
        status: states.stripe[one.state],
        periodEnd,
        ...(one.cancelAt !== undefined && { cancelAt: Math.floor(one.cancelAt / 1000) }),
        key: priceIsOld ? null : `integrity_${one.plan}_month`,
      })
    } else
      razorpay.subscriptions.set(one.id, {
        quantity: 1,
        notes: { org: orgId },
        created_at: seconds(),
        current_start: seconds(),
        ...razorpay.subscriptions.get(one.id),
        id: one.id,
        status: states.razorpay[one.state],
        current_end: periodEnd,
        plan_id: priceIsOld ? 'plan_of_before' : razorpayPlans[`${one.plan}.month`],
      })
  }
  const pushed = (): string[] =>
    provider === 'stripe'
      ? stripe.meter.map(({ identifier }) => identifier)
      : razorpay.addons.map(({ item }) => `${orgId} ${item.name}`)
  return { double, write, pushed, stripe, razorpay }
}

describe.each(paymentProviders)('random histories of %s', (provider) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    const stripe = { api: 'http://stripe', key: 'sk_test_1', webhookSecret: 'whsec_test' }
    const razorpay = {
      api: 'http://razorpay',
      keyId: 'rzp_test_1',
      keySecret: 'secret',
      webhookSecret: 'w',
      plans: razorpayPlans,
    }
    Object.assign(server.app.config, { payment: { stripe, razorpay } })
  })
  afterAll(() => server.stop())

  const clear = () =>
    server.app.db.transact(async (tx) => {
      for (const name of ['subscriptions', 'pages', 'wishes', 'countries']) await tx.run(`DELETE FROM payment_${name}`)
      for (const name of ['billing_charges', 'billing_metering', 'plan_spans', 'session_counts'])
        await tx.run(`DELETE FROM ${name}`)
    })
  /** How many rows of the audit trail say something of money behind one of them, and which is the last of all. */
  const rows = async (after: number): Promise<{ n: number; last: number }> => {
    const sql = `SELECT count(CASE WHEN action LIKE 'billing.%' THEN 1 END) AS n, max(seq) AS last FROM audit_log
      WHERE org_id = ? AND seq > ?`
    const row = await server.app.db.reader.get<{ n: number; last: number | null }>(sql, [server.orgs[0].orgId, after])
    return { n: row?.n ?? 0, last: row?.last ?? after }
  }

  const play = async (seed: number): Promise<void> => {
    await clear()
    const { orgId } = server.orgs[0]
    const random = seededRandom(seed)
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T
    const now = () => server.clock.now()
    const side = sideOf(provider, orgId, now)
    const actor = {
      kind: 'user',
      id: 'usr_1',
      orgId,
      environment: 'live',
      email: 'o@example.org',
      permissions: [],
    } as const
    const httpOut = { ...server.app.httpOut, ...inPlaceOfNetwork((asked) => side.double.handle(asked)) }
    const call = { ...server.app, httpOut, actor, requestId: 'req_1', scope: { orgId, environment: 'live' as const } }
    const truth: True[] = []
    const used: { at: number; n: number; plan: Plan }[] = []
    const said: string[] = []
    let before: { plan: Plan; row: number } = { plan: 'free', row: (await rows(0)).last }

    const settle = async () => {
      for (const { id } of truth) await takeSubscription(call, { provider, subscriptionId: id })
      for (const job of billingJobs)
        if (job.kind === 'billing.look')
          await job.run({ ...call } as never, null, { id: 'j', attempt: 1, signal: new AbortController().signal })
    }
    const check = async (step: string) => {
      said.push(step)
      const plan = (await planOf({ ...call, reader: server.app.db.reader }, orgId)) as Plan
      const { n, last } = await rows(before.row)
      expect(plan, `seed ${seed}: ${said.join(', ')}`).toBe(right(truth, now()))
      if (plan !== before.plan) expect(n, `seed ${seed}: no row says why: ${said.join(', ')}`).toBeGreaterThan(0)
      before = { plan, row: last }
    }
    const spoil = () => {
      const fault = pick([undefined, undefined, 'lost', 'cut'] as const)
      side.double.fault = (_path, method) => (method === 'GET' ? undefined : fault)
    }
    const trying = async (work: () => Promise<unknown>): Promise<void> => {
      spoil()
      await work().catch(() => undefined)
      side.double.fault = undefined
    }
    /** What the provider did of a request, whatever its answer was. */
    const follow = (): void => {
      for (const one of truth) {
        const theirs =
          provider === 'stripe' ? side.stripe.subscriptions.get(one.id) : side.razorpay.subscriptions.get(one.id)
        if (theirs?.status === 'canceled' || theirs?.status === 'cancelled') become(one, 'cancelled', now())
        const named =
          theirs && 'key' in theirs
            ? theirs.key
            : Object.entries(razorpayPlans).find(
                ([, id]) => theirs && 'plan_id' in theirs && id === theirs.plan_id,
              )?.[0]
        if (named?.includes('business')) one.plan = 'business'
        else if (named?.includes('team')) one.plan = 'team'
      }
    }
    const running = () => truth.filter(({ state }) => state !== 'cancelled')
    const steps: Record<string, () => Promise<void>> = {
      buy: async () => {
        // The first try may get no answer; what is opened again must be paid for once.
        const body = {
          plan: pick(['team', 'business'] as const),
          interval: 'month',
          country: provider === 'stripe' ? 'US' : 'IN',
        } as const
        await trying(() => openCheckout(call as never, body))
        const one: True = {
          id: `sub_${seed}x${truth.length}`,
          plan: body.plan,
          state: 'active',
          cancelAt: undefined,
          owedSince: undefined,
          givenUpSince: undefined,
        }
        truth.push(one)
        side.write(one)
      },
      state: async () => {
        const one = pick(running())
        if (!one) return
        become(one, pick(['active', 'past_due', 'unpaid', 'paused', 'cancelled'] as const), now())
        side.write(one)
      },
      price: async () => {
        // Known before its price changes.
        await settle()
        const one = pick(running())
        if (one) side.write(one, { priceIsOld: true })
      },
      portal: async () => {
        const one = pick(running())
        if (!one) return
        one.plan = pick(['team', 'business'] as const)
        if (provider === 'stripe' && random() < 0.3)
          one.cancelAt = Math.ceil(now() / 1000) * 1000 + Math.floor(random() * 5) * day
        side.write(one)
      },
      change: async () => {
        await settle()
        await trying(() => changePlan(call as never, { plan: pick(['team', 'business'] as const) }))
        follow()
      },
      cancel: async () => {
        await settle()
        await trying(() => cancelSubscription(call as never, 'now'))
        follow()
      },
      race: async () => {
        // Two answers on their way at once, one of before a change.
        const one = pick(running())
        if (!one) return
        const older = takeSubscription(call, { provider, subscriptionId: one.id })
        become(one, pick(['active', 'past_due'] as const), now())
        side.write(one)
        await Promise.all([older, takeSubscription(call, { provider, subscriptionId: one.id })])
      },
      wait: async () => {
        server.clock.advance(Math.floor(random() * 9) * day)
      },
      use: async () => {
        const n = Math.floor(random() * 900)
        used.push({ at: now(), n, plan: right(truth, now()) })
        await server.app.db.transact(async (tx) => {
          for (const width of [60_000, 1_920_000, 61_440_000, 1_966_080_000, 62_914_560_000])
            await tx.run(
              `INSERT INTO session_counts (org_id, environment, state, provisioned_id, width_ms, bucket, n)
               VALUES (?, 'live', '', '', ?, ?, ?) ON CONFLICT (org_id, environment, state, provisioned_id, width_ms, bucket)
               DO UPDATE SET n = session_counts.n + excluded.n`,
              [orgId, width, Math.floor(now() / width), n],
            )
        })
      },
      meter: async () => {
        const month = new Date(now()).toISOString().slice(0, 7)
        const metered = used.filter(
          ({ at, plan }) => plan === 'business' && new Date(at).toISOString().startsWith(month),
        )
        const quantity = Math.max(0, metered.reduce((sum, { n }) => sum + n, 0) - 1000)
        const next = new Date(now())
        server.clock.advance(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1, 2) - now())
        await settle()
        for (let n = 0; n < 3; n += 1) await trying(() => meterPeriod(call, { orgId, period: month }))
        const answer = await meterPeriod(call, { orgId, period: month }).catch(() => undefined)
        if (answer) expect(answer.quantity, `seed ${seed}: ${said.join(', ')}, meter`).toBe(quantity)
        server.clock.advance(2 * day)
        await meterPeriod(call, { orgId, period: month }).catch(() => undefined)
        expect(new Set(side.pushed()).size, `seed ${seed}: metered twice: ${said.join(', ')}`).toBe(
          side.pushed().length,
        )
      },
    }
    const names = Object.keys(steps)
    for (let n = 0; n < 14; n += 1) {
      const name = n === 0 ? 'buy' : pick(names)
      await steps[name]?.()
      // Events come late, twice, and in any order: what is asked for then is the truth of that moment.
      await settle()
      if (random() < 0.3) await settle()
      await check(name)
      server.clock.advance(2 * minute)
      await settle()
    }
    expect(side.double.broken).toEqual([])
  }

  it.each(proofSeeds())(
    'never give more, less, or twice (seed %i)',
    { timeout: proofSize({ small: 180_000, large: 7_200_000 }) },
    async (seed) => {
      for (let n = 0; n < histories; n += 1) await play(seed + n)
    },
  )
})
