import { type Client, createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

const environments = ['live', 'sandbox'] as const

for (const engine of enginesInTurn(import.meta.filename))
  describe(`webhooks in the portal (${engine})`, () => {
    let server: TestServer
    let receiver: Receiver
    let orgId: string
    let portal: Client
    let headers: { cookie: string }
    beforeAll(async () => {
      server = await startServer({ engine })
      receiver = await startReceiver(() => server.clock.now())
      orgId = server.orgs[0].orgId
      portal = createClient({ baseUrl: server.url })
      headers = await portalCookie(server, 'admin')
    })
    afterAll(async () => {
      await receiver.stop()
      await server.stop()
    })

    const create = async (environment?: 'live' | 'sandbox') =>
      (
        await portal.call('portal.webhooks.create', {
          params: { orgId },
          headers,
          body: { url: receiver.url, eventTypes: ['session.ended'], ...(environment && { environment }) },
        })
      ).data
    const list = async (query: Record<string, unknown> = {}) =>
      (await portal.call('portal.webhooks.list', { params: { orgId }, headers, query })).data
    const one = (endpointId: string) => ({ params: { orgId, endpointId }, headers })
    const keyOf = (environment: 'live' | 'sandbox') =>
      server.client(environment === 'live' ? server.orgs[0].liveKey : server.orgs[0].sandboxKey)

    it('registers for live unless told otherwise; the keys of that environment see the endpoint, the others do not', async () => {
      const live = await create()
      const sandbox = await create('sandbox')
      expect(live).toMatchObject({
        environment: 'live',
        status: 'enabled',
        secret: expect.stringMatching(/^whsec_/) as string,
      })
      expect(sandbox.environment).toBe('sandbox')
      for (const [made, own, other] of [
        [live, 'live', 'sandbox'],
        [sandbox, 'sandbox', 'live'],
      ] as const) {
        const { secret: _, ...shown } = made
        expect((await keyOf(own).call('webhooks.get', { params: { id: made.id } })).data).toEqual(shown)
        const refused = await refusalOf(keyOf(other).call('webhooks.get', { params: { id: made.id } }))
        expect(refused.code).toBe('not_found')
      }
    })

    it('lists both environments, newest first and without secrets, and filters them', async () => {
      server.clock.advance(1000)
      const live = await create('live')
      server.clock.advance(1000)
      const sandbox = await create('sandbox')
      const { items, total } = await list({ limit: 100 })
      expect(items.slice(0, 2).map(({ id }) => id)).toEqual([sandbox.id, live.id])
      expect(items.length).toBe(total)
      for (const environment of environments) {
        const wanted = items.filter((endpoint) => endpoint.environment === environment)
        expect(await list({ limit: 100, environment })).toMatchObject({ items: wanted, total: wanted.length })
      }
      expect(JSON.stringify(items)).not.toContain('whsec_')
    })

    it('sends each event since an instant once more, and nothing that is older or still being sent', async () => {
      const { id } = await create('sandbox')
      const test = async () => (await portal.call('portal.webhooks.test', { ...one(id), body: {} })).data.eventId
      const log = async () => (await portal.call('portal.webhooks.deliveries.list', one(id))).data.items
      const replay = async (at: number) =>
        (await portal.call('portal.webhooks.replaySince', { ...one(id), body: { since: new Date(at).toISOString() } }))
          .data
      await test()
      server.clock.advance(60_000)
      const since = server.clock.now()
      const events = [await test(), await test()]
      await server.processAll()
      const underWay = await test()
      expect(await replay(since)).toEqual({ replayed: 2 })
      const again = (await log()).filter(({ replayOf }) => replayOf !== undefined)
      expect(again.map(({ eventId }) => eventId).toReversed()).toEqual(events)
      expect((await log()).filter(({ eventId }) => eventId === underWay)).toHaveLength(1)
      await server.processAll()
      expect((await log()).every(({ status }) => status === 'delivered')).toBe(true)
      expect(await replay(since)).toEqual({ replayed: 3 })
      expect(await replay(server.clock.now() + 60_000)).toEqual({ replayed: 0 })
      await portal.call('portal.webhooks.patch', { ...one(id), body: { status: 'disabled' } })
      expect(await refusalOf(replay(since))).toMatchObject({ code: 'conflict' })
    })

    it.each(environments)('manages a %s endpoint with the same services as its key', async (environment) => {
      const made = await create(environment)
      const { id } = made
      const { data: patched } = await portal.call('portal.webhooks.patch', {
        ...one(id),
        body: { description: 'mine', status: 'disabled' },
      })
      expect(patched).toMatchObject({ id, environment, description: 'mine', status: 'disabled' })
      expect(await refusalOf(portal.call('portal.webhooks.test', one(id)))).toMatchObject({ code: 'conflict' })
      await portal.call('portal.webhooks.patch', { ...one(id), body: { status: 'enabled' } })
      const { data: rotated } = await portal.call('portal.webhooks.rotateSecret', one(id))
      expect(rotated.secret).not.toBe(made.secret)
      const { data: test } = await portal.call('portal.webhooks.test', one(id))
      await server.processAll()
      const log = async () => (await portal.call('portal.webhooks.deliveries.list', one(id))).data
      expect((await log()).items).toMatchObject([{ id: test.deliveryId, eventId: test.eventId, status: 'delivered' }])
      const events = await keyOf(environment).call('events.list', { query: { types: 'webhook.test' } })
      expect(events.data.items.map((event) => event.id)).toContain(test.eventId)
      const { data: replay } = await portal.call('portal.webhooks.deliveries.replay', {
        params: { orgId, endpointId: id, deliveryId: test.deliveryId },
        headers,
      })
      expect(replay).toMatchObject({ replayOf: test.deliveryId, status: 'pending' })
      await server.processAll()
      expect((await log()).items.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
      expect((await portal.call('portal.webhooks.delete', one(id))).data).toEqual({ id, deleted: true })
      expect(await refusalOf(portal.call('portal.webhooks.delete', one(id)))).toMatchObject({ code: 'not_found' })
      const rows = await server.app.db.reader.all<{ action: string; kind: string }>(
        'SELECT action, actor_kind AS kind FROM audit_log WHERE org_id = ? AND target IN (?, ?) ORDER BY seq',
        [orgId, id, replay.id],
      )
      expect(rows).toEqual(
        ['created', 'changed', 'changed', 'secret_rotated', 'tested', 'replayed', 'deleted'].map((verb) => ({
          action: `webhook.${verb}`,
          kind: 'user',
        })),
      )
    })

    it('refuses an address that may not be posted to', async () => {
      const call = portal.call('portal.webhooks.create', {
        params: { orgId },
        headers,
        body: { url: 'ftp://example.org', eventTypes: ['*'] },
      })
      const refused = await refusalOf(call)
      expect(refused).toMatchObject({ code: 'invalid_request', details: [{ path: 'url' }] })
    })
  })
