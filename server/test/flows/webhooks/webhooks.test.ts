import type { Client } from '@integrity/client/every-endpoint'
import type { eventTypes } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { publish } from '../../test-support/publish.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`webhook endpoints (${engine})`, () => {
    let server: TestServer
    let receiver: Receiver
    let api: Client
    let other: Client
    const made: string[] = []

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
      other = server.client(server.orgs[1].sandboxKey)
    })
    beforeEach(async () => {
      receiver = await startReceiver(() => server.clock.now())
    })
    afterEach(async () => {
      for (const id of made.splice(0)) await api.call('webhooks.delete', { params: { id } }).catch(() => undefined)
      await receiver.stop()
    })
    afterAll(() => server.stop())

    const create = async (types: readonly string[] = ['*'], url = receiver.url) => {
      const { data } = await api.call('webhooks.create', { body: { url, eventTypes: types as ['*'] } })
      made.push(data.id)
      return data
    }
    const log = async (
      id: string,
      query: { status?: 'delivered' | 'cancelled' | 'pending'; limit?: number; offset?: number } = {},
    ) => (await api.call('webhooks.deliveries.list', { params: { id }, query })).data

    describe('webhooks.create', () => {
      it('answers the whole endpoint with a secret that is never shown again', async () => {
        const endpoint = await create(['session.ended', 'session.ended'])
        expect(endpoint).toMatchObject({
          url: receiver.url,
          eventTypes: ['session.ended'],
          description: null,
          status: 'enabled',
          consecutiveFailures: 0,
        })
        expect(endpoint.secret).toMatch(/^whsec_/)
        const { secret, ...rest } = endpoint
        const read = await api.call('webhooks.get', { params: { id: endpoint.id } })
        expect(read.data).toEqual(rest)
        const list = await api.call('webhooks.list')
        expect(JSON.stringify(list.data)).not.toContain(secret)
        expect(list.data.items.map((item) => item.id)).toContain(endpoint.id)
      })

      it('stores the secret only wrapped', async () => {
        const { id, secret } = await create()
        const row = await server.app.db.reader.get<{ s: string }>(
          'SELECT wrapped_secret AS s FROM webhook_endpoints WHERE endpoint_id = ?',
          [id],
        )
        expect(row?.s).toMatch(/^v1\./)
        expect(row?.s).not.toContain(secret.slice(6))
      })

      it('refuses a URL it may never post to, naming the field and the reason', async () => {
        for (const url of ['ftp://example.org/', 'not a url', 'https://user:pw@example.org/', 'https://example.org/#x'])
          await expect(create(['*'], url)).rejects.toMatchObject({ status: 400, details: [{ path: 'url' }] })
      })

      it('refuses the endpoint beyond the fiftieth of an environment', async () => {
        const inUse = (await api.call('webhooks.list')).data.total
        for (let n = inUse; n < 50; n++) await create()
        await expect(create()).rejects.toMatchObject({ status: 409, code: 'conflict' })
        const live = server.client(server.orgs[0].liveKey)
        const { data } = await live.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['*'] } })
        await live.call('webhooks.delete', { params: { id: data.id } })
      })
    })

    describe('webhooks.list', () => {
      it('pages newest first and counts all', async () => {
        const first = await create()
        server.clock.advance(1)
        const second = await create()
        const { data } = await api.call('webhooks.list', { query: { limit: 1 } })
        expect(data).toMatchObject({ total: 2, limit: 1, offset: 0, items: [{ id: second.id }] })
        const next = await api.call('webhooks.list', { query: { limit: 1, offset: 1 } })
        expect(next.data.items[0]?.id).toBe(first.id)
      })
    })

    describe('tenancy', () => {
      it('hides an endpoint from the other organisation and the other environment on every endpoint id', async () => {
        const { id } = await create()
        const strangers = [other, server.client(server.orgs[0].liveKey)]
        for (const stranger of strangers) {
          const calls = [
            () => stranger.call('webhooks.get', { params: { id } }),
            () => stranger.call('webhooks.patch', { params: { id }, body: { description: 'mine' } }),
            () => stranger.call('webhooks.delete', { params: { id } }),
            () => stranger.call('webhooks.rotateSecret', { params: { id } }),
            () => stranger.call('webhooks.test', { params: { id } }),
            () => stranger.call('webhooks.deliveries.list', { params: { id } }),
            () => stranger.call('webhooks.deliveries.replay', { params: { id, deliveryId: 'dlv_x' } }),
          ]
          for (const call of calls) await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' })
          expect((await stranger.call('webhooks.list')).data.items).toEqual([])
        }
      })

      it("delivers only the events of the endpoint's own environment and organisation", async () => {
        await create()
        await publish(server, { environment: 'live' })
        await publish(server, { org: 1 })
        const mine = await publish(server)
        await server.processAll()
        expect(receiver.received.map((r) => r.headers['x-service-event-id'])).toEqual([mine.id])
      })
    })

    describe('webhooks.patch', () => {
      it('changes what is given and leaves the rest', async () => {
        const { id } = await create(['session.ended'])
        const patched = await api.call('webhooks.patch', { params: { id }, body: { description: 'hiring' } })
        expect(patched.data).toMatchObject({ url: receiver.url, eventTypes: ['session.ended'], description: 'hiring' })
        await api.call('webhooks.patch', { params: { id }, body: { eventTypes: ['session.scheduled'] } })
        await publish(server, { type: 'session.started' })
        const event = await publish(server)
        await server.processAll()
        expect(receiver.received.map((r) => r.headers['x-service-event-id'])).toEqual([event.id])
      })

      it('checks a new URL as creation does', async () => {
        const { id } = await create()
        const patch = api.call('webhooks.patch', { params: { id }, body: { url: 'gopher://example.org' } })
        await expect(patch).rejects.toMatchObject({ status: 400, details: [{ path: 'url' }] })
      })

      it('holds the queue while disabled, ignores what is published meanwhile, and goes on when enabled again', async () => {
        const { id } = await create()
        const queued = await publish(server)
        await api.call('webhooks.patch', { params: { id }, body: { status: 'disabled' } })
        await publish(server)
        await server.processAll()
        expect(receiver.received).toEqual([])
        expect((await log(id)).items).toMatchObject([{ eventId: queued.id, status: 'pending', nextAttemptAt: null }])
        await api.call('webhooks.patch', { params: { id }, body: { status: 'enabled' } })
        await server.processAll()
        expect(receiver.received.map((r) => r.headers['x-service-event-id'])).toEqual([queued.id])
      })
    })

    describe('webhooks.delete', () => {
      it('stops queued deliveries and is not found afterwards', async () => {
        const { id } = await create()
        await publish(server)
        expect((await api.call('webhooks.delete', { params: { id } })).data).toEqual({ id, deleted: true })
        await publish(server)
        await server.processAll()
        expect(receiver.received).toEqual([])
        await expect(api.call('webhooks.get', { params: { id } })).rejects.toMatchObject({ status: 404 })
        await expect(api.call('webhooks.delete', { params: { id } })).rejects.toMatchObject({ status: 404 })
        const row = await server.app.db.reader.get(
          'SELECT status, next_attempt_at FROM webhook_deliveries WHERE endpoint_id = ?',
          [id],
        )
        expect(row).toEqual({ status: 'cancelled', next_attempt_at: null })
      })
    })

    describe('webhooks.test', () => {
      it('sends a real event to this endpoint only, though neither subscribed to it', async () => {
        const { id } = await create(['session.ended'])
        await create(['*'])
        const { status, data } = await api.call('webhooks.test', { params: { id } })
        expect(status).toBe(202)
        await server.processAll()
        expect(receiver.received).toHaveLength(1)
        expect(receiver.received[0]?.headers).toMatchObject({
          'x-service-event-id': data.eventId,
          'x-service-event-type': 'webhook.test',
          'x-service-delivery-id': data.deliveryId,
          'x-service-delivery-attempt': '1',
        })
        expect(JSON.parse(String(receiver.received[0]?.body))).toMatchObject({
          id: data.eventId,
          data: { webhook: { id } },
        })
      })

      it('is a conflict while the endpoint is disabled', async () => {
        const { id } = await create()
        await api.call('webhooks.patch', { params: { id }, body: { status: 'disabled' } })
        await expect(api.call('webhooks.test', { params: { id } })).rejects.toMatchObject({ status: 409 })
      })
    })

    describe('webhooks.deliveries.list', () => {
      it('pages newest first, with every attempt, and filters by status and type', async () => {
        const { id } = await create()
        receiver.answer((_request, index) =>
          index === 0 ? { status: 500, body: 'sorry' } : { status: 200, body: 'ok' },
        )
        await publish(server)
        await server.processAll()
        await publish(server, { type: 'session.started' })
        await server.processAll()
        const all = await log(id)
        expect(all.total).toBe(2)
        expect(all.items.map((item) => [item.eventType, item.status])).toEqual([
          ['session.started', 'delivered'],
          ['session.scheduled', 'retrying'],
        ])
        expect(all.items[1]?.attempts).toEqual([
          expect.objectContaining({ attempt: 1, outcome: 'http_error', statusCode: 500, responseExcerpt: 'sorry' }),
        ])
        expect((await log(id, { limit: 1, offset: 1 })).items[0]?.eventType).toBe('session.scheduled')
        expect(await log(id, { status: 'delivered' })).toMatchObject({ total: 1, items: [{ status: 'delivered' }] })
        const typed = await api.call('webhooks.deliveries.list', {
          params: { id },
          query: { eventType: 'session.scheduled' },
        })
        expect(typed.data).toMatchObject({ total: 1, items: [{ eventType: 'session.scheduled' }] })
        const wrong = { eventType: 'nothing' as (typeof eventTypes)[number] }
        await expect(api.call('webhooks.deliveries.list', { params: { id }, query: wrong })).rejects.toMatchObject({
          status: 400,
        })
      })
    })

    describe('webhooks.deliveries.replay', () => {
      it('sends the same event as a new delivery and keeps the old history', async () => {
        const { id } = await create()
        const event = await publish(server)
        await server.processAll()
        const [old] = (await log(id)).items
        const replayed = await api.call('webhooks.deliveries.replay', { params: { id, deliveryId: old?.id ?? '' } })
        expect(replayed).toMatchObject({
          status: 202,
          data: { eventId: event.id, status: 'pending', replayOf: old?.id },
        })
        await server.processAll()
        expect(receiver.received.map((r) => r.headers['x-service-event-id'])).toEqual([event.id, event.id])
        expect(receiver.received[1]?.headers['x-service-delivery-attempt']).toBe('1')
        const items = (await log(id)).items
        expect(items.map((item) => item.id)).toEqual([replayed.data.id, old?.id])
        expect(items[1]).toEqual(old)
      })

      it('is a conflict while the delivery is still being sent, and not found for an unknown one', async () => {
        const { id } = await create()
        await publish(server)
        const [queued] = (await log(id)).items
        const replay = (deliveryId: string) => api.call('webhooks.deliveries.replay', { params: { id, deliveryId } })
        await expect(replay(queued?.id ?? '')).rejects.toMatchObject({ status: 409 })
        await expect(replay('dlv_unknown')).rejects.toMatchObject({ status: 404 })
      })
    })

    it('writes an audit row for every change', async () => {
      const { id } = await create()
      await api.call('webhooks.patch', { params: { id }, body: { description: 'x' } })
      await api.call('webhooks.rotateSecret', { params: { id } })
      await api.call('webhooks.test', { params: { id } })
      await server.processAll()
      const [tested] = (await log(id)).items
      const replay = await api.call('webhooks.deliveries.replay', { params: { id, deliveryId: tested?.id ?? '' } })
      await api.call('webhooks.delete', { params: { id } })
      const rows = await server.app.db.reader.all<{ action: string }>(
        'SELECT action FROM audit_log WHERE org_id = ? AND target IN (?, ?) ORDER BY seq',
        [server.orgs[0].orgId, id, replay.data.id],
      )
      expect(rows.map((row) => row.action)).toEqual([
        'webhook.created',
        'webhook.changed',
        'webhook.secret_rotated',
        'webhook.tested',
        'webhook.replayed',
        'webhook.deleted',
      ])
    })
  })

describe('private targets', () => {
  it('are refused when the server does not allow them, at registration and at every attempt', async () => {
    const server = await startServer({ env: { WEBHOOK_ALLOW_PRIVATE: '0' } })
    try {
      const api = server.client(server.orgs[0].sandboxKey)
      const receiver = await startReceiver(() => server.clock.now())
      for (const url of [
        receiver.url,
        receiver.url.replace('http:', 'https:'),
        'https://169.254.169.254/',
        'https://[::1]/',
      ])
        await expect(api.call('webhooks.create', { body: { url, eventTypes: ['*'] } })).rejects.toMatchObject({
          status: 400,
          details: [{ path: 'url' }],
        })
      // The name is looked up again when something is sent: here it is as if it had changed since.
      const { data } = await api.call('webhooks.create', { body: { url: 'https://93.184.215.14/', eventTypes: ['*'] } })
      const url = receiver.url.replace('http:', 'https:')
      await server.app.db.transact((tx) =>
        tx.run('UPDATE webhook_endpoints SET url = ? WHERE endpoint_id = ?', [url, data.id]),
      )
      await publish(server)
      await server.processAll()
      const log = await api.call('webhooks.deliveries.list', { params: { id: data.id } })
      expect(log.data.items[0]).toMatchObject({ status: 'retrying', attempts: [{ outcome: 'blocked' }] })
      expect(receiver.received).toEqual([])
      await receiver.stop()
    } finally {
      await server.stop()
    }
  })
})
