import { createHmac } from 'node:crypto'
import { verifyWebhook, type WebhookVerificationError } from '@integrity/client'
import type { Client } from '@integrity/client/every-endpoint'
import { deliveryFaults } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Received, startReceiver } from '../../test-support/webhook-receiver.ts'
import { simulationsOf } from './sandbox.test-support.ts'

for (const engine of enginesInTurn(import.meta.filename))
  describe(`deliveries with faults (${engine})`, { timeout: 240_000 }, () => {
    let server: TestServer
    let api: Client

    beforeAll(async () => {
      server = await startServer({ engine })
      api = server.client(server.orgs[0].sandboxKey)
    })
    afterAll(() => server.stop())
    const { playWhole, eventsOf } = simulationsOf(() => server)

    const register = async (client: Client, url: string) =>
      (await client.call('webhooks.create', { body: { url, eventTypes: ['*'] } })).data
    const logOf = async (client: Client, id: string) =>
      (await client.call('webhooks.deliveries.list', { params: { id }, query: { limit: 100 } })).data
    /** As the guide says: the signature of the raw body, and no older than five minutes. */
    const isGenuine = (secret: string, { headers, body, at }: Received): boolean => {
      const [, time = '', mac] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-service-signature'])) ?? []
      const made = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
      return made === mac && Math.abs(at / 1000 - Number(time)) <= 300
    }

    it('are refused by a receiver that verifies, and come again whole', async () => {
      const [receiver, live] = [await startReceiver(() => server.clock.now()), await startReceiver(() => 0)]
      try {
        const hook = await register(api, receiver.url)
        const secret = String(hook.secret)
        const liveHook = await register(server.client(server.orgs[0].liveKey), live.url)
        receiver.answer((request) => ({ status: isGenuine(secret, request) ? 204 : 400 }))
        const { id, run } = await playWhole('receiver_faults')
        expect(run).toMatchObject({ status: 'done', failure: null })
        for (let round = 0; round < 3; round++) {
          server.clock.advance(60_000)
          await server.processAll()
        }
        const broken = (await logOf(api, hook.id)).items.filter(({ fault }) => fault !== undefined)
        // Two of each, however many events there were; each is a copy, was refused once, and then arrived.
        expect(broken.map(({ fault }) => String(fault)).sort()).toEqual([...deliveryFaults, ...deliveryFaults].sort())
        for (const { replayOf, status, attempts } of broken) {
          expect(replayOf).toBeDefined()
          expect(status).toBe('delivered')
          expect(attempts.map(({ statusCode }) => statusCode)).toEqual([400, 204])
        }
        const refused = receiver.received.filter((request) => !isGenuine(secret, request))
        const reasons = await Promise.all(
          refused.map(({ headers, body, at }) =>
            verifyWebhook(body, String(headers['x-service-signature']), secret, { now: at }).then(
              () => 'taken',
              (error: unknown) => (error as WebhookVerificationError).reason,
            ),
          ),
        )
        const expected = ['signature_mismatch', 'signature_mismatch', 'timestamp_too_old']
        expect(reasons.sort()).toEqual([...expected, ...expected].sort())
        const arrived = receiver.received.filter((request) => isGenuine(secret, request))
        const got = new Set(arrived.map(({ headers }) => headers['x-service-event-id']))
        expect((await eventsOf(id)).filter((event) => !got.has(event.id))).toEqual([])
        expect((await api.call('webhooks.get', { params: { id: hook.id } })).data.status).toBe('enabled')
        expect(live.received).toEqual([])
        expect((await logOf(server.client(server.orgs[0].liveKey), liveHook.id)).total).toBe(0)
      } finally {
        await Promise.all([receiver.stop(), live.stop()])
      }
    })
  })
