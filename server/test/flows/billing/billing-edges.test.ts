import { plans, warnShare } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { takeSubscription } from '../../../src/domains/administration/billing/refreshing.service.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { givePlan, signedNews, takeMoney, theirSubscription } from '../../test-support/payments.ts'
import { type PaymentsDouble, startPaymentsDouble } from '../../test-support/payments-double.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

const day = 86_400_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`money at its edges (${engine})`, () => {
    let server: TestServer
    let double: PaymentsDouble
    beforeAll(async () => {
      double = await startPaymentsDouble()
      server = await startServer({ engine })
      takeMoney(server, double)
    })
    beforeEach(async () => {
      double.fault = undefined
      await server.app.db.transact(async (tx) => {
        for (const name of ['subscriptions', 'pages', 'wishes', 'countries'])
          await tx.run(`DELETE FROM payment_${name}`)
        for (const name of ['charges', 'metering', 'events']) await tx.run(`DELETE FROM billing_${name}`)
        for (const name of ['plan_spans', 'session_counts']) await tx.run(`DELETE FROM ${name}`)
      })
    })
    afterEach(() => expect(double.broken.splice(0)).toEqual([]))
    afterAll(async () => {
      await server.stop()
      await double.stop()
    })

    const params = () => ({ orgId: server.orgs[0].orgId })
    const standing = () => asMember(server, 'portal.billing.subscription', { params: params() })
    const cancel = (when: 'period_end' | 'now') =>
      asMember(server, 'portal.billing.cancel', { params: params(), body: { when } })
    const meter = () => asMember(server, 'portal.billing.metering', { params: params() } as never)
    const last = async (action: string) =>
      (await asMember(server, 'portal.auditLogs.list', { params: params(), query: { limit: 100 } })).items.find(
        (row) => row.action === action,
      )
    const take = (subscriptionId: string) =>
      takeSubscription({ ...server.app, requestId: 'req_1' }, { provider: 'stripe', subscriptionId })
    const subscribed = async (more: Parameters<typeof theirSubscription>[2] = {}) => {
      const one = theirSubscription(double, params().orgId, more)
      await take(one.id)
      return one
    }
    const asked = (path: string) => double.asked.filter((one) => one.path.startsWith(path) && one.method !== 'GET')
    /** So many live sessions at an instant, as counts that were kept. */
    const counted = (at: number, n: number) =>
      server.app.db.transact(async (tx) => {
        for (const width of [60_000, 1_920_000, 61_440_000, 1_966_080_000, 62_914_560_000])
          await tx.run(
            `INSERT INTO session_counts (org_id, environment, state, provisioned_id, width_ms, bucket, n)
             VALUES (?, 'live', '', '', ?, ?, ?)
             ON CONFLICT (org_id, environment, state, provisioned_id, width_ms, bucket) DO UPDATE SET n = excluded.n`,
            [params().orgId, width, Math.floor(at / width), n],
          )
      })
    const sessionsAt = async (n: number) => {
      await counted(server.clock.now(), n)
      const { items } = await asMember(server, 'portal.billing.entitlements', { params: params() })
      return items.find(({ name }) => name === 'sessions')?.state
    }

    it('warns from the share on, and blocks at the limit', async () => {
      const limit = plans.free.limits.sessionsPerMonth
      const share = limit * warnShare
      expect(Number.isInteger(share)).toBe(true)
      const states: unknown[] = []
      for (const n of [share - 1, share, limit - 1, limit]) states.push(await sessionsAt(n))
      expect(states).toEqual(['ok', 'warn', 'warn', 'block'])
    })

    it('asks the provider for nothing where the plan is the one that is wanted', async () => {
      const one = await subscribed()
      const before = asked(`/v1/subscriptions/${one.id}`).length
      const wanted = { plan: 'team', interval: 'month' } as const
      expect(await asMember(server, 'portal.billing.plan', { params: params(), body: wanted })).toMatchObject(wanted)
      expect(asked(`/v1/subscriptions/${one.id}`)).toHaveLength(before)
    })

    it('refuses what the provider refuses to cancel, as long as the subscription runs', async () => {
      const one = await subscribed()
      double.fault = (path, method) =>
        method !== 'GET' && path.includes(one.id)
          ? { status: 400, body: { error: { message: 'Not while it is collected.' } } }
          : undefined
      expect(await refusalOf(cancel('now'))).toMatchObject({ status: 409, extra: { reason: 'provider_refused' } })
      expect(await standing()).toMatchObject({ plan: 'team', status: 'active' })
      // One that has ended there meanwhile is as good as cancelled.
      one.status = 'canceled'
      expect(await cancel('now')).toMatchObject({ plan: 'free', status: 'cancelled' })
      expect((await last('billing.cancelled'))?.payload).toMatchObject({ plan: 'team', status: 'cancelled' })
    })

    it('keeps the country that was given, and says who opened a page for what', async () => {
      const body = { plan: 'team', interval: 'year', country: 'DE' } as const
      await asMember(server, 'portal.billing.checkout', { params: params(), body })
      await asMember(server, 'portal.billing.checkout', { params: params(), body: { ...body, country: undefined } })
      expect((await last('billing.checkout_opened'))?.payload).toMatchObject({
        provider: 'stripe',
        plan: 'team',
        interval: 'year',
        seats: 1,
      })
    })

    it('opens the same page for the same wish, another for another interval, and sells as many seats as the plan holds', async () => {
      const seats = plans.team.limits.members
      const open = async (interval: 'month' | 'year', more: { seats?: number } = {}) => {
        const body = { plan: 'team', interval, country: 'DE', ...more } as const
        return (await asMember(server, 'portal.billing.checkout', { params: params(), body })).url
      }
      const [month, year] = [await open('month'), await open('year')]
      expect(year).not.toBe(month)
      expect([await open('month'), await open('year')]).toEqual([month, year])
      expect(await open('month', { seats })).not.toBe(month)
      expect(await refusalOf(open('month', { seats: seats + 1 }))).toMatchObject({ extra: { reason: 'plan_limit' } })
    })

    it('asks once for each message, however often that comes, and tells once of a second subscription', async () => {
      const one = await subscribed()
      await subscribed({ key: 'integrity_business_month' })
      const reads = () => double.asked.filter(({ path, method }) => method === 'GET' && path.includes(one.id)).length
      const tell = async (id: string) => {
        const { payload, headers } = signedNews(server, {
          id,
          type: 'customer.subscription.updated',
          livemode: false,
          data: { object: { id: one.id, object: 'subscription' } },
        })
        const told = await fetch(`${server.url}/v1/billing/webhooks/stripe`, { method: 'POST', headers, body: payload })
        expect(told.status).toBe(200)
        await server.processAll()
        return reads()
      }
      const known = `evt_${engine}_again`
      const first = await tell(known)
      expect(await tell(known)).toBe(first)
      expect(await tell(`${known}_other`)).toBeGreaterThan(first)
      const { items } = await asMember(server, 'portal.auditLogs.list', { params: params(), query: { limit: 100 } })
      const twice = items.filter(({ action }) => action === 'billing.several_subscriptions')
      expect(twice).toHaveLength(1)
    })

    it('says what changed of a subscription where the plan of the organisation stays', async () => {
      await givePlan(server, params().orgId, 'enterprise')
      const one = await subscribed()
      const payload = async () => (await last('billing.subscription_changed'))?.payload
      expect(await payload()).toMatchObject({
        status: 'active',
        organisation: { from: 'enterprise', to: 'enterprise' },
      })
      one.status = 'canceled'
      await take(one.id)
      expect(await payload()).toMatchObject({
        status: 'cancelled',
        before: { status: 'active' },
        organisation: { from: 'enterprise', to: 'enterprise' },
      })
    })

    it('leaves alone what names no organisation, or one that is not here', async () => {
      for (const org of ['', 'org_of_another_service']) {
        const one = theirSubscription(double, org)
        expect(await take(one.id)).toBeUndefined()
      }
      const rows = await server.app.db.reader.all('SELECT subscription_id FROM payment_subscriptions')
      expect(rows).toEqual([])
    })

    it('ends when the provider says that it ends, also where that is not the end of the period', async () => {
      const cancelAt = Math.floor(server.clock.now() / 1000) + 3600
      const one = await subscribed({ cancelAt })
      expect(await cancel('period_end')).toMatchObject({ plan: 'team', cancelAtPeriodEnd: true })
      expect(one.cancelAt).toBe(cancelAt)
      server.clock.advance(3_600_000)
      expect(await standing()).toMatchObject({ plan: 'free' })
    })

    it('tells nobody of what goes beyond a plan that was agreed upon', async () => {
      await givePlan(server, params().orgId, 'business')
      const now = new Date(server.clock.now())
      await counted(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) + 10 * day, 1007)
      const before = double.meter.length
      expect(await meter()).toMatchObject({ quantity: 7, plan: 'business', provider: null, pushed: false })
      expect(double.meter).toHaveLength(before)
    })

    it('tries again at once where the provider refused a count, and keeps why', async () => {
      await subscribed({ key: 'integrity_business_month' })
      const now = new Date(server.clock.now())
      await counted(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) + 10 * day, 1007)
      double.fault = (path) =>
        path === '/v1/billing/meter_events'
          ? { status: 400, body: { error: { message: 'The meter is archived.' } } }
          : undefined
      expect(await refusalOf(meter())).toMatchObject({ status: 409 })
      const problem = () => server.app.db.reader.get('SELECT problem FROM billing_metering')
      expect(await problem()).toEqual({ problem: expect.stringContaining('The meter is archived.') as string })
      double.fault = undefined
      expect(await meter()).toMatchObject({ quantity: 7, pushed: true })
      expect(await problem()).toEqual({ problem: null })
    })
  })
