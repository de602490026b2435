import { graceDays } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { meterPeriod } from '../../../src/domains/administration/billing/metering.service.ts'
import { takeSubscription } from '../../../src/domains/administration/billing/refreshing.service.ts'
import { agreePlan } from '../../../src/domains/organisation/plans/agreeing.service.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { readOutbox } from '../../test-support/mail.ts'
import { signedNews, takeMoney, theirSubscription } from '../../test-support/payments.ts'
import { type PaymentsDouble, startPaymentsDouble } from '../../test-support/payments-double.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { retentionOf } from '../retention/retention.test-support.ts'

const day = 86_400_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`money that ends right (${engine})`, () => {
    let server: TestServer
    let double: PaymentsDouble
    beforeAll(async () => {
      double = await startPaymentsDouble()
      server = await startServer({ engine })
      takeMoney(server, double)
    })
    beforeEach(async () => {
      double.fault = undefined
      double.invoices = []
      await server.app.db.transact(async (tx) => {
        for (const name of ['subscriptions', 'pages', 'wishes', 'countries'])
          await tx.run(`DELETE FROM payment_${name}`)
        for (const name of ['charges', 'metering', 'events']) await tx.run(`DELETE FROM billing_${name}`)
        await tx.run('DELETE FROM plan_spans')
      })
    })
    afterEach(() => expect(double.broken.splice(0)).toEqual([]))
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const params = () => ({ orgId: server.orgs[0].orgId })
    const standing = () => asMember(server, 'portal.billing.subscription', { params: params() })
    const checkout = (more: object = {}) =>
      asMember(server, 'portal.billing.checkout', {
        params: params(),
        body: { plan: 'team', interval: 'month', country: 'US', ...more },
      })
    const cancel = (when: 'period_end' | 'now') =>
      asMember(server, 'portal.billing.cancel', { params: params(), body: { when } })
    const change = (plan: 'team' | 'business') =>
      asMember(server, 'portal.billing.plan', { params: params(), body: { plan } })
    const item = async (name: string) =>
      (await asMember(server, 'portal.billing.entitlements', { params: params() })).items.find(
        (one) => one.name === name,
      )
    const actions = async () =>
      (await asMember(server, 'portal.auditLogs.list', { params: params(), query: { limit: 100 } })).items.map(
        ({ action }) => action,
      )
    let told = 0
    const tell = async (one: { id: string; org: string }) => {
      told += 1
      const { payload, headers } = signedNews(server, {
        id: `evt_${told}`,
        type: 'customer.subscription.updated',
        livemode: false,
        data: { object: { id: one.id, object: 'subscription', metadata: { org: one.org } } },
      })
      const sent = await fetch(`${server.url}/v1/billing/webhooks/stripe`, { method: 'POST', headers, body: payload })
      expect(sent.status).toBe(200)
      await server.processAll()
    }
    const subscribed = async (more: Parameters<typeof theirSubscription>[2] = {}) => {
      const one = theirSubscription(double, params().orgId, more)
      await tell(one)
      return one
    }

    it('keeps the plan of a price that lost its name, and ends it when the subscription ends', async () => {
      const one = await subscribed()
      one.key = null
      await tell(one)
      expect(await standing()).toMatchObject({ plan: 'team', status: 'active' })
      expect(await cancel('period_end')).toMatchObject({ plan: 'team', status: 'active', cancelAtPeriodEnd: true })
      one.org = ''
      one.status = 'canceled'
      await tell(one)
      expect(await standing()).toMatchObject({ plan: 'free', status: 'cancelled' })
    })

    it('keeps what it knew where a state is new to it, and where the provider knows nothing any more', async () => {
      const one = await subscribed()
      one.status = 'a_state_of_next_year'
      await tell(one)
      expect(await standing()).toMatchObject({ plan: 'team', status: 'active' })
      double.subscriptions.delete(one.id)
      await tell(one)
      expect(await standing()).toMatchObject({ plan: 'team', status: 'active' })
    })

    it('takes the newer of two answers that are on their way at once', async () => {
      const one = await subscribed({ status: 'past_due' })
      let held: () => void = () => undefined
      const gate = new Promise<void>((resolve) => {
        held = resolve
      })
      const asks = { n: 0 }
      const { httpOut } = server.app
      const slow = {
        ...server.app,
        httpOut: {
          ...httpOut,
          request: async (...args: Parameters<typeof httpOut.request>) => {
            const answer = await httpOut.request(...args)
            asks.n += 1
            if (asks.n === 1) await gate
            return answer
          },
        },
        requestId: 'req_1',
      }
      const theirs = { provider: 'stripe', subscriptionId: one.id } as const
      const older = takeSubscription(slow, theirs)
      while (asks.n === 0) await new Promise((resolve) => setImmediate(resolve))
      Object.assign(one, { status: 'active', key: 'integrity_business_month' })
      await takeSubscription({ ...server.app, requestId: 'req_2' }, theirs)
      held()
      await older
      expect(await standing()).toMatchObject({ plan: 'business', status: 'active' })
    })

    it('takes one that was only begun for nothing that is bought', async () => {
      await subscribed({ status: 'incomplete' })
      expect(await standing()).toMatchObject({ plan: 'free', others: [] })
      // A page is still to be had, and it is shown.
      const { url } = await checkout()
      expect(await standing()).toMatchObject({ plan: 'free', checkout: { url } })
      await subscribed()
      expect(await standing()).toMatchObject({ plan: 'team', others: [] })
    })

    it('lists credits', async () => {
      double.invoices = [{ id: 'in_credit', total: -300, created: 1 }]
      await subscribed()
      const { items } = await asMember(server, 'portal.billing.history', { params: params() })
      expect(items).toMatchObject([{ id: 'in_credit', amount: -300 }])
    })

    it('counts the best of two subscriptions, says that there are two, and goes on with the other', async () => {
      const first = await subscribed()
      const second = await subscribed({ key: 'integrity_business_month' })
      await tell(first)
      expect(await standing()).toMatchObject({ plan: 'business', others: [{ id: first.id, plan: 'team' }] })
      expect(await actions()).toContain('billing.several_subscriptions')
      const subjects = (await readOutbox(server)).map(({ subject }) => subject)
      expect(subjects).toContain('Your organisation pays for more than one subscription')
      first.status = 'canceled'
      await tell(first)
      expect(await standing()).toMatchObject({ plan: 'business', others: [] })
      first.status = 'active'
      await tell(first)
      expect(await cancel('now')).toMatchObject({ plan: 'team', status: 'active', others: [] })
      expect(second.status).toBe('canceled')
    })

    it('opens a page after a lost answer, and again after a purchase of the same day', async () => {
      double.fault = (path, method) => (path === '/v1/checkout/sessions' && method === 'POST' ? 'lost' : undefined)
      expect(await refusalOf(checkout())).toMatchObject({ status: 503 })
      double.fault = undefined
      server.clock.advance(60_000)
      const pages = double.pages().length
      expect((await checkout()).url).toBeTruthy()
      expect(double.pages()).toHaveLength(pages)
      const page = double.pages().at(-1)
      const one = theirSubscription(double, params().orgId)
      double.pay(page?.id ?? '', one.id)
      // Nobody has told of it yet: the page is asked about before it is shown again.
      expect(await refusalOf(checkout())).toMatchObject({ status: 409, extra: { reason: 'subscribed' } })
      await cancel('now')
      expect((await checkout()).url).not.toContain(page?.id)
      expect(double.pages()).toHaveLength(pages + 1)
    })

    it('asks where somebody pays from, once', async () => {
      expect(await refusalOf(checkout({ country: undefined }))).toMatchObject({ details: [{ path: 'country' }] })
      await checkout({ country: 'DE' })
      await checkout({ country: undefined, plan: 'business' })
      const asked = double.asked.filter(({ path, method }) => path === '/v1/checkout/sessions' && method === 'POST')
      expect(asked.at(-1)?.fields).toMatchObject({
        currency: 'eur',
        'line_items[0][quantity]': '1',
        'line_items[1][price]': 'price_integrity_sessions_beyond_plan_month',
      })
    })

    it('sells a plan for its price, to as many as it holds; more that are paid for are members', async () => {
      expect(await refusalOf(checkout({ seats: 40 }))).toMatchObject({ status: 409, extra: { reason: 'plan_limit' } })
      await subscribed({ quantity: 40 })
      expect(await item('members')).toMatchObject({ limit: 40 })
      expect(await standing()).toMatchObject({ seats: 40 })
    })

    it.each([
      ['unpaid', graceDays.givenUp],
      ['past_due', graceDays.retrying],
    ] as const)('ends %s after its grace, and says so', async (status, days) => {
      const one = await subscribed()
      one.status = status
      await tell(one)
      const since = server.clock.now()
      const end = new Date(since + days * day).toISOString()
      expect(await standing()).toMatchObject({ plan: 'team', status: 'past_due', graceEndsAt: end })
      server.clock.advance(days * day - 1000)
      expect(await standing()).toMatchObject({ plan: 'team' })
      server.clock.advance(1000)
      expect(await standing()).toMatchObject({ plan: 'free', graceEndsAt: null })
      server.clock.advance(5 * 60_000)
      await server.processAll()
      expect(await actions()).toContain('billing.subscription_lapsed')
    })

    it("takes a cancellation of the provider's own pages, and its time", async () => {
      const cancelAt = Math.floor(server.clock.now() / 1000) + 3600
      await subscribed({ cancelAt })
      expect(await standing()).toMatchObject({ plan: 'team', cancelAtPeriodEnd: true })
      server.clock.advance(3_600_000)
      expect(await standing()).toMatchObject({ plan: 'free' })
    })

    it('changes back and forth within a minute', async () => {
      const one = await subscribed()
      for (const plan of ['business', 'team', 'business'] as const) {
        expect(await change(plan)).toMatchObject({ plan })
        expect(one.key).toBe(`integrity_${plan}_month`)
      }
      expect((await actions()).filter((action) => action === 'billing.subscription_changed').length).toBeGreaterThan(3)
    })

    it('has the ceiling of `free` in force before anything was paid', async () => {
      expect(await retentionOf(server).put(200)).toMatchObject({ defaultDays: 200, inForceDays: 30, capped: true })
      expect(await item('retention_days')).toMatchObject({ limit: 30, used: 30, state: 'warn' })
    })

    it('is on a plan that was agreed upon, with a ceiling of its own, until that is taken away', async () => {
      const actor = { kind: 'operator', id: 'command-line' } as const
      const agree = (plan: 'enterprise' | 'free', retentionDays: number | null) =>
        server.app.db.transact((tx) => agreePlan({ ...server.app, tx, actor }, { ...params(), plan, retentionDays }))
      await agree('enterprise', 90)
      expect(await standing()).toMatchObject({ plan: 'enterprise', status: null })
      expect((await retentionOf(server).get()).ceilingDays).toBe(90)
      server.clock.advance(1000)
      await agree('free', null)
      expect(await standing()).toMatchObject({ plan: 'free' })
      expect(await actions()).toContain('billing.plan_agreed')
    })

    const counted = async (at: number, n: number) => {
      await server.app.db.transact(async (tx) => {
        for (const width of [60_000, 1_920_000, 61_440_000, 1_966_080_000, 62_914_560_000])
          await tx.run(
            `INSERT INTO session_counts (org_id, environment, state, provisioned_id, width_ms, bucket, n)
             VALUES (?, 'live', '', '', ?, ?, ?)
             ON CONFLICT (org_id, environment, state, provisioned_id, width_ms, bucket) DO UPDATE SET n = excluded.n`,
            [params().orgId, width, Math.floor(at / width), n],
          )
      })
    }
    const month = () => {
      const now = new Date(server.clock.now())
      return { begin: Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1), now: now.getTime() }
    }
    const meter = (body?: { period: string }) =>
      asMember(server, 'portal.billing.metering', { params: params(), ...(body && { body }) } as never)

    it('meters a month that was over before the plan changed, once, by that month', async () => {
      await subscribed({ key: 'integrity_business_month' })
      await counted(month().begin + 10 * day, 1007)
      await cancel('now')
      const before = double.meter.length
      double.fault = (path) => (path === '/v1/billing/meter_events' ? 'lost' : undefined)
      expect(await refusalOf(meter())).toMatchObject({ status: 503 })
      double.fault = undefined
      // Their memory of keys and identifiers is over; that of the meter is not.
      server.clock.advance(2 * day)
      const again = await meterPeriod(server.app, {
        ...params(),
        period: new Date(month().begin).toISOString().slice(0, 7),
      })
      expect(again).toMatchObject({ quantity: 7, pushed: true, plan: 'business', provider: 'stripe' })
      expect(double.meter).toHaveLength(before + 1)
      await counted(month().begin + 10 * day, 0)
    })

    it('tells nothing twice where another process counted and told the month between two steps of this one', async () => {
      // What was told of the month before would count as told.
      double.stamps.splice(0)
      double.meter.splice(0)
      await subscribed({ key: 'integrity_business_month' })
      await counted(month().begin + 10 * day, 1005)
      const told: string[] = []
      double.fault = (path) => {
        if (path === '/v1/billing/meter_events') told.push(path)
        return undefined
      }
      const { db } = server.app
      let steps = 0
      const slow = {
        ...server.app,
        db: {
          ...db,
          transact: (async (run) => {
            // It has kept the count; before it takes the month as its own to tell, the other one does all of that.
            if (++steps === 2)
              expect(await meterPeriod(server.app, params())).toMatchObject({ quantity: 5, pushed: true })
            return db.transact(run)
          }) as typeof db.transact,
        },
      }
      expect(await meterPeriod(slow, params())).toMatchObject({ quantity: 5, repeated: false })
      expect(steps).toBe(2)
      expect(told).toHaveLength(1)
      await counted(month().begin + 10 * day, 0)
    })

    it('refuses new live sessions where storage is used up, warns where sessions are metered', async () => {
      await server.app.db.transact((tx) =>
        tx.run(
          `INSERT INTO evidence_usage (org_id, day, evidence_type, added_objects, added_bytes, erased_objects, erased_bytes)
           VALUES (?, -1, 'screenshot', 1, ?, 0, 0)`,
          [params().orgId, 6e9],
        ),
      )
      expect(await item('storage_bytes')).toMatchObject({ state: 'block' })
      const api = server.client(server.orgs[0].liveKey)
      expect(await refusalOf(api.call('sessions.create', { body: {} }))).toMatchObject({
        status: 409,
        extra: { reason: 'plan_limit', limit: { name: 'storage_bytes' } },
      })
      await subscribed({ key: 'integrity_business_month' })
      const beginning = new Date(server.clock.now())
      await counted(Date.UTC(beginning.getUTCFullYear(), beginning.getUTCMonth(), 1), 1005)
      expect(await item('sessions')).toMatchObject({ state: 'warn' })
      await api.call('sessions.create', { body: {} })
    })
  })
