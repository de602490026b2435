import { createHmac } from 'node:crypto'
import { plans } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { givePlan, signedNews, takeMoney, theirSubscription } from '../../test-support/payments.ts'
import { type PaymentsDouble, startPaymentsDouble } from '../../test-support/payments-double.ts'
import { addMember, portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { retentionOf } from '../retention/retention.test-support.ts'

const body = { plan: 'team', interval: 'month', country: 'US' } as const

for (const engine of enginesInTurn(import.meta.filename))
  describe(`billing (${engine})`, () => {
    let server: TestServer
    let double: PaymentsDouble
    beforeAll(async () => {
      double = await startPaymentsDouble()
      server = await startServer({ engine })
    })
    beforeEach(async () => {
      double.fault = undefined
      double.broken.length = 0
      await server.app.db.transact(async (tx) => {
        for (const name of ['subscriptions', 'pages', 'wishes']) await tx.run(`DELETE FROM payment_${name}`)
        for (const name of ['charges', 'metering']) await tx.run(`DELETE FROM billing_${name}`)
        await tx.run('DELETE FROM plan_spans')
      })
    })
    afterEach(() => expect(double.broken).toEqual([]))
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const params = () => ({ orgId: server.orgs[0].orgId })
    const checkout = (more: object = {}) =>
      asMember(server, 'portal.billing.checkout', { params: params(), body: { ...body, ...more } })
    const standing = () => asMember(server, 'portal.billing.subscription', { params: params() })
    const entitlements = () => asMember(server, 'portal.billing.entitlements', { params: params() })
    const legs = async () =>
      (await server.client().call('billing.status', { headers: await portalCookie(server, 'owner') })).data
    const item = async (name: string) => (await entitlements()).items.find((one) => one.name === name)
    const change = (more: object) => asMember(server, 'portal.billing.plan', { params: params(), body: more as never })
    const cancel = (more: object = {}) => asMember(server, 'portal.billing.cancel', { params: params(), body: more })
    const meter = (period: string) =>
      asMember(server, 'portal.billing.metering', { params: params(), body: { period } })
    const news = async (event: object, options: Parameters<typeof signedNews>[2] = {}) => {
      const { payload, headers } = signedNews(server, event, options)
      const answer = await fetch(`${server.url}/v1/billing/webhooks/stripe`, { method: 'POST', headers, body: payload })
      return answer.status
    }
    const about = (subscription: { id: string; org: string }, id: string, type = 'customer.subscription.updated') => ({
      id,
      type,
      livemode: false,
      data: { object: { id: subscription.id, object: 'subscription', metadata: { org: subscription.org } } },
    })
    const subscribed = async (more: Parameters<typeof theirSubscription>[2] = {}) => {
      const one = theirSubscription(double, params().orgId, more)
      expect(await news(about(one, `evt_of_${one.id}`))).toBe(200)
      await server.processAll()
      return one
    }

    describe('where nobody takes money', () => {
      it('is self-hosted, without limits, and sells nothing', async () => {
        expect(await entitlements()).toMatchObject({ plan: 'self_hosted' })
        expect((await entitlements()).items.every(({ limit, state }) => limit === null && state === 'ok')).toBe(true)
        expect(await standing()).toMatchObject({ plan: 'self_hosted', status: null, checkout: null })
        for (const ask of [checkout, () => change({ plan: 'business' }), cancel])
          expect(await refusalOf(ask())).toMatchObject({ status: 503, extra: { reason: 'not_configured' } })
        const status = await legs()
        expect(status.legs.map(({ configured }) => configured)).toEqual([false, false])
      })

      it('still says what a plan would cost, in whole numbers, where a country exists', async () => {
        const ladder = async (country: string) =>
          (
            await server
              .client()
              .call('billing.plans', { query: { country }, headers: await portalCookie(server, 'owner') })
          ).data
        for (const [country, currency, provider] of [
          ['IN', 'INR', 'razorpay'],
          ['DE', 'EUR', 'stripe'],
          ['GB', 'GBP', 'stripe'],
          ['US', 'USD', 'stripe'],
        ] as const) {
          const { items, ...where } = await ladder(country)
          expect(where).toEqual({ country, currency, provider })
          expect(items.find(({ plan }) => plan === 'team')?.prices).toEqual({
            month: plans.team.prices[currency][0],
            year: plans.team.prices[currency][1],
          })
          expect(items.flatMap(({ prices }) => (prices ? Object.values(prices) : [])).every(Number.isInteger)).toBe(
            true,
          )
        }
        expect(await refusalOf(ladder('XX'))).toMatchObject({ status: 400, details: [{ path: 'country' }] })
      })
    })

    describe('where Stripe takes money', () => {
      beforeAll(() => takeMoney(server, double))

      it('opens one page for one wish, and no plan comes of it before the provider says so', async () => {
        const first = await checkout()
        expect(await checkout()).toEqual(first)
        const asked = double.asked.filter(({ path, method }) => path === '/v1/checkout/sessions' && method === 'POST')
        expect(asked).toHaveLength(1)
        expect(asked[0]?.fields).toMatchObject({ client_reference_id: params().orgId, currency: 'usd' })
        expect(asked[0]?.headers['idempotency-key']).toBeTruthy()
        expect(await standing()).toMatchObject({
          plan: 'free',
          status: null,
          checkout: { plan: 'team', url: first.url },
        })
        expect((await checkout({ plan: 'business' })).url).not.toBe(first.url)
        expect(await refusalOf(checkout({ plan: 'self_hosted' }))).toMatchObject({ status: 400 })
        expect(await refusalOf(checkout({ country: 'IN' }))).toMatchObject({ status: 503 })
      })

      it('goes by what the provider answers, whatever comes, how often, how late and in which order', async () => {
        await checkout()
        const one = theirSubscription(double, params().orgId)
        const sent = ['evt_c', 'evt_a', 'evt_c', 'evt_b', 'evt_a'].map((id) => news(about(one, id)))
        expect(await Promise.all(sent)).toEqual([200, 200, 200, 200, 200])
        await server.processAll()
        expect(await standing()).toMatchObject({
          plan: 'team',
          provider: 'stripe',
          status: 'active',
          interval: 'month',
          cancelAtPeriodEnd: false,
          checkout: null,
          currentPeriodEnd: '2026-10-21T14:13:20.000Z',
        })
        expect((await retentionOf(server).get()).ceilingDays).toBe(plans.team.limits.retentionDays)
        // An old message about a subscription that has ended meanwhile says nothing that the provider does not.
        one.status = 'canceled'
        await news(about(one, 'evt_z', 'customer.subscription.created'))
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'free', status: 'cancelled' })
      })

      it('lets upgrade, downgrade, cancel at the end and at once, and keeps the plan while a charge is tried again', async () => {
        const one = await subscribed()
        expect(await refusalOf(checkout())).toMatchObject({ status: 409, extra: { reason: 'subscribed' } })
        expect(await change({ plan: 'business' })).toMatchObject({ plan: 'business', interval: 'month' })
        expect(one.key).toBe('integrity_business_month')
        expect(await change({ plan: 'team', interval: 'year' })).toMatchObject({ plan: 'team', interval: 'year' })
        one.status = 'past_due'
        await news(about(one, 'evt_failed', 'invoice.payment_failed'))
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'team', status: 'past_due' })
        one.status = 'active'
        await news(about(one, 'evt_paid', 'invoice.paid'))
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'team', status: 'active' })
        expect(await cancel()).toMatchObject({ plan: 'team', status: 'active', cancelAtPeriodEnd: true })
        expect(await cancel({ when: 'now' })).toMatchObject({ plan: 'free', status: 'cancelled' })
        expect(await refusalOf(cancel())).toMatchObject({ status: 409, extra: { reason: 'no_subscription' } })
      })

      it('changes nothing where the provider refuses, is down or cut off, and says which', async () => {
        await subscribed()
        double.fault = () => ({ status: 402, body: { error: { message: 'Your card was declined.' } } })
        expect(await refusalOf(change({ plan: 'business' }))).toMatchObject({
          status: 409,
          extra: { reason: 'provider_refused' },
          message: expect.stringContaining('Your card was declined.') as string,
        })
        for (const fault of [
          () => ({ status: 500, body: {} }),
          () => ({ status: 429, body: {} }),
          () => 'cut' as const,
        ]) {
          double.fault = fault
          expect(await refusalOf(change({ plan: 'business' }))).toMatchObject({
            status: 503,
            extra: { reason: 'provider_down' },
          })
        }
        double.fault = undefined
        expect(await standing()).toMatchObject({ plan: 'team' })
      })

      it("takes no message that is not the provider's, old, of the future or of the other mode", async () => {
        const one = theirSubscription(double, params().orgId)
        const now = server.clock.now()
        expect(await news(about(one, 'evt_1x'), { secret: 'whsec_other' })).toBe(401)
        expect(await news(about(one, 'evt_2x'), { at: now - 301_000 })).toBe(401)
        expect(await news(about(one, 'evt_3x'), { at: now + 301_000 })).toBe(401)
        expect(await news({ ...about(one, 'evt_4x'), livemode: true })).toBe(400)
        expect(await news({ id: 'evt_5x' })).toBe(400)
        const { payload, headers } = signedNews(server, about(one, 'evt_6x'))
        const post = (path: string, sent: string) =>
          fetch(`${server.url}/v1/billing/webhooks/${path}`, { method: 'POST', headers, body: sent })
        expect((await post('stripe', `${payload} `)).status).toBe(401)
        expect((await post('paypal', payload)).status).toBe(404)
        expect((await post('razorpay', payload)).status).toBe(503)
        await server.processAll()
        expect(await standing()).toMatchObject({ status: null })
        // Their own words of how a signature is made, with their own numbers.
        const known = createHmac('sha256', 'whsec_test_secret')
          .update('1700000000.{"id":"evt_1","object":"event","type":"invoice.paid"}')
          .digest('hex')
        expect(known).toBe('dfb4777aaaec4ea29ff455dd4df7fe6b2ef71096ad3a93a158db7e100109ea91')
      })

      it("leaves another organisation's subscription alone", async () => {
        const one = await subscribed()
        one.org = server.orgs[1].orgId
        await news(about(one, 'evt_moved'))
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'team', status: 'active' })
      })

      it('lists charges, newest first, page by page, each once however often it is told of', async () => {
        const invoice = (n: number) => ({
          id: `in_${n}`,
          status: n === 3 ? 'open' : 'paid',
          total: 7900,
          currency: 'usd',
          created: 1_790_000_000 + n,
          period_start: 1_790_000_000,
          period_end: 1_792_592_000,
          hosted_invoice_url: 'https://invoice.example/1',
        })
        double.invoices = [3, 2, 1].map(invoice)
        const one = await subscribed()
        await news(about(one, 'evt_again'))
        await server.processAll()
        const history = (query: object) => asMember(server, 'portal.billing.history', { params: params(), query })
        const { items, total, nextCursor } = await history({ limit: 2 })
        expect([total, items.map(({ id, status }) => [id, status])]).toEqual([
          3,
          [
            ['in_3', 'open'],
            ['in_2', 'paid'],
          ],
        ])
        const rest = await history({ limit: 2, cursor: nextCursor ?? '' })
        expect(rest.items).toMatchObject([{ id: 'in_1', amount: 7900, currency: 'USD', status: 'paid' }])
        double.invoices = []
      })

      it('refuses what goes beyond the plan, of what is new, and touches nothing that runs', async () => {
        await givePlan(server, params().orgId, 'free')
        const { sessionsPerMonth, members } = plans.free.limits
        const api = server.client(server.orgs[0].liveKey)
        const make = () => api.call('sessions.create', { body: {} })
        for (let n = Number((await item('sessions'))?.used); n < sessionsPerMonth; n += 1) await make()
        expect(await item('sessions')).toEqual({ name: 'sessions', limit: 10, used: 10, state: 'block' })
        expect(await refusalOf(make())).toMatchObject({
          status: 409,
          extra: { reason: 'plan_limit', limit: { name: 'sessions', limit: 10, used: 10, plan: 'free' } },
        })
        // What is tried out is not counted, and what runs goes on.
        await server.client(server.orgs[0].sandboxKey).call('sessions.create', { body: {} })
        const [last] = (await api.call('sessions.list', { query: { limit: 1 } })).data.items
        await api.call('sessions.end', { params: { id: last?.id ?? '' } })
        while (Number((await item('members'))?.used) < members) await addMember(server, 'reviewer')
        const seat = asMember(server, 'portal.members.add', {
          params: params(),
          body: { email: 'one.more@example.org', name: 'One More', role: 'reviewer' },
        })
        expect(await refusalOf(seat)).toMatchObject({ status: 409, extra: { reason: 'plan_limit' } })
        const back = await addMember(server, 'interviewer')
        const { items } = await asMember(server, 'portal.members.list', { params: params(), query: { limit: 100 } })
        const membershipId = items.find(({ email }) => email === back.email)?.id ?? ''
        const change = (active: boolean) =>
          asMember(server, 'portal.members.change', { params: { ...params(), membershipId }, body: { active } })
        await change(false)
        await addMember(server, 'interviewer')
        expect(await refusalOf(change(true))).toMatchObject({ status: 409, extra: { reason: 'plan_limit' } })
        await subscribed()
        await make()
        expect(await item('sessions')).toMatchObject({ limit: 100, used: 11, state: 'ok' })
        // The next month begins again.
        server.clock.advance(31 * 86_400_000)
        expect(await item('sessions')).toMatchObject({ used: 0 })
      })

      it('counts a month that is over, and tells the provider once, whatever is cut off', async () => {
        await subscribed({ key: 'integrity_business_month' })
        const month = (ago: number) => {
          const date = new Date(server.clock.now())
          return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - ago, 1)).toISOString().slice(0, 7)
        }
        expect(await refusalOf(meter(month(0)))).toMatchObject({ status: 400, details: [{ path: 'period' }] })
        expect(await meter('2020-01')).toEqual({
          period: '2020-01',
          quantity: 0,
          pushed: false,
          repeated: false,
          plan: 'business',
          provider: 'stripe',
        })
        // More sessions than the plan has, as counts that were kept.
        const at = Date.parse(`${month(2)}-01T00:00:00Z`)
        await server.app.db.transact(async (tx) => {
          for (const width of [60_000, 1_920_000, 61_440_000])
            await tx.run(
              `INSERT INTO session_counts (org_id, environment, state, provisioned_id, width_ms, bucket, n)
               VALUES (?, 'live', '', '', ?, ?, 1200) ON CONFLICT DO NOTHING`,
              [params().orgId, width, Math.floor((at + 86_400_000 * 10) / width)],
            )
        })
        // It goes out, but the answer is lost: nobody knows whether it came through.
        const before = double.meter.length
        const identifier = `${params().orgId}:${month(2)}`
        double.fault = (path) => (path === '/v1/billing/meter_events' ? 'lost' : undefined)
        expect(await refusalOf(meter(month(2)))).toMatchObject({ status: 503 })
        double.fault = undefined
        const [first, second] = await Promise.all([meter(month(2)), meter(month(2))])
        expect([first.quantity, second.quantity]).toEqual([200, 200])
        expect(await meter(month(2))).toMatchObject({ pushed: true, repeated: true, quantity: 200 })
        expect(double.meter.slice(before)).toMatchObject([{ identifier, value: '200', customer: 'cus_1' }])
      })

      it('never shows a secret of the provider', async () => {
        const shown = JSON.stringify([await standing(), await entitlements(), await legs()])
        const logged = server.logLines.join('\n')
        for (const secret of ['sk_test_1', 'whsec_test']) expect(shown + logged).not.toContain(secret)
      })
    })
  })
