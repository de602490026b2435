import { paymentProviders, plans } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { everyEngine } from '../../test-support/engines.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { type Side, startSide, takeMoneyBy } from './payment-sides.test-support.ts'

const minute = 60_000
const day = 86_400_000

for (const provider of paymentProviders)
  for (const engine of everyEngine())
    describe(`the life of a subscription by ${provider} (${engine})`, () => {
      let server: TestServer
      let side: Side
      beforeAll(async () => {
        side = await startSide[provider]()
        server = await startServer({ engine })
        takeMoneyBy(server, side)
      })
      beforeEach(async () => {
        await server.app.db.transact(async (tx) => {
          for (const name of ['charges', 'metering', 'events']) await tx.run(`DELETE FROM billing_${name}`)
          for (const name of ['subscriptions', 'pages', 'wishes']) await tx.run(`DELETE FROM payment_${name}`)
          await tx.run('DELETE FROM plan_spans')
        })
      })
      afterEach(() => expect(side.broken).toEqual([]))
      afterAll(async () => {
        await server.stop()
        await side.stop()
      })

      const params = () => ({ orgId: server.orgs[0].orgId })
      const standing = () => asMember(server, 'portal.billing.subscription', { params: params() })
      const history = async () =>
        (await asMember(server, 'portal.billing.history', { params: params() })).items.map(({ amount }) => amount)
      const change = (body: { plan: 'team' | 'business'; interval?: 'month' | 'year' }) =>
        asMember(server, 'portal.billing.plan', { params: params(), body })
      const cancel = (body: { when?: 'period_end' | 'now' } = {}) =>
        asMember(server, 'portal.billing.cancel', { params: params(), body })
      const send = async (id: string, event: string) => {
        const { payload, headers } = side.news(server, id, event)
        const url = `${server.url}/v1/billing/webhooks/${provider}`
        return (await fetch(url, { method: 'POST', headers, body: payload })).status
      }
      let told = 0
      const tell = async (id: string) => {
        expect(await send(id, `evt_${provider}_${engine}_${++told}`)).toBe(200)
        await server.processAll()
      }
      /** A hosted page that somebody has paid on; nothing was told yet. */
      const paid = async () => {
        const body = { plan: 'team', interval: 'month', country: side.country } as const
        await asMember(server, 'portal.billing.checkout', { params: params(), body })
        const { checkout_id: page } = await server.app.db.reader
          .get<{ checkout_id: string }>('SELECT checkout_id FROM payment_pages WHERE org_id = ?', [params().orgId])
          .then((row) => row ?? { checkout_id: '' })
        expect(await standing()).toMatchObject({ plan: 'free', status: null })
        return side.pay(page, params().orgId)
      }
      const subscribed = async () => {
        const id = await paid()
        await tell(id)
        return id
      }

      it('begins with a message of it, however often and in how many at once it comes', async () => {
        const id = await paid()
        const sent = ['a', 'b', 'a', 'a', 'b'].map((name) => send(id, `evt_${provider}_${engine}_${name}`))
        expect(await Promise.all(sent)).toEqual([200, 200, 200, 200, 200])
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'team', status: 'active', provider, checkout: null })
      })

      it('begins though no message of it ever comes', async () => {
        await paid()
        server.clock.advance(3 * minute)
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'team', status: 'active', provider, checkout: null })
      })

      it('does not begin with a page that nobody has paid on', async () => {
        const body = { plan: 'team', interval: 'year', country: side.country } as const
        await asMember(server, 'portal.billing.checkout', { params: params(), body })
        server.clock.advance(3 * minute)
        await server.processAll()
        expect(await standing()).toMatchObject({ plan: 'free', status: null, checkout: { plan: 'team' } })
      })

      it('goes up, goes down, fails, is paid again, is paused and resumed', async () => {
        const id = await subscribed()
        expect(await change({ plan: 'business' })).toMatchObject({ plan: 'business', interval: 'month' })
        expect(side.planOf(id)).toBe('business.month')
        expect(await change({ plan: 'team', interval: 'year' })).toMatchObject({ plan: 'team', interval: 'year' })
        expect(side.planOf(id)).toBe('team.year')
        for (const [state, status, plan] of [
          ['failed', 'past_due', 'team'],
          ['active', 'active', 'team'],
          ['paused', 'paused', 'free'],
          ['active', 'active', 'team'],
        ] as const) {
          side.set(id, state)
          await tell(id)
          expect(await standing()).toMatchObject({ status, plan })
        }
      })

      it('that was told to end keeps saying so until it ends, and its last invoices are listed', async () => {
        const id = await subscribed()
        side.charge(id, plans.team.prices.USD[0])
        expect(await cancel()).toMatchObject({ plan: 'team', cancelAtPeriodEnd: true })
        await tell(id)
        expect(await standing()).toMatchObject({ plan: 'team', status: 'active', cancelAtPeriodEnd: true })
        side.set(id, 'ended')
        await tell(id)
        expect(await standing()).toMatchObject({ plan: 'free', status: 'cancelled' })
        expect(await history()).toHaveLength(1)
        // What was used is billed behind the end, and nothing tells of it.
        side.charge(id, 1200)
        server.clock.advance(day)
        await server.processAll()
        expect((await history())[0]).toBe(1200)
        expect(await standing()).toMatchObject({ plan: 'free', status: 'cancelled' })
      })

      it('ends at once where that was asked for, and once', async () => {
        const id = await subscribed()
        expect(await cancel({ when: 'now' })).toMatchObject({ plan: 'free', status: 'cancelled' })
        await tell(id)
        expect(await refusalOf(cancel())).toMatchObject({ status: 409, extra: { reason: 'no_subscription' } })
      })
    })
