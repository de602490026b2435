import { createHmac } from 'node:crypto'
import { type Client, createClient } from '@integrity/client/every-endpoint'
import { verifyWebhook } from '@integrity/client/webhook'
import { eventCatalog, examplesPerMinute } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Received, type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

const hour = 3_600_000

for (const engine of enginesInTurn(import.meta.filename))
  describe(`what a receiver is written against (${engine})`, () => {
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
    })
    /** Sign-ins end sooner than what is looked at here. */
    const signIn = async () => {
      headers = await portalCookie(server, 'admin')
    }
    beforeEach(signIn)
    afterAll(async () => {
      await receiver.stop()
      await server.stop()
    })

    const create = async () => {
      const body = { url: receiver.url, eventTypes: ['session.ended' as const], environment: 'sandbox' as const }
      return (await portal.call('portal.webhooks.create', { params: { orgId }, headers, body })).data
    }
    const one = (endpointId: string) => ({ params: { orgId, endpointId }, headers })
    const newest = async (): Promise<Received> => {
      await server.processAll()
      const [last] = receiver.received.slice(-1)
      if (!last) throw new Error('nothing came')
      return last
    }
    const tested = async (id: string): Promise<Received> => {
      await portal.call('portal.webhooks.test', one(id))
      return newest()
    }
    const signedBy = (secret: string, { headers: sent, body }: Received): string => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const text = `${String(sent['webhook-id'])}.${String(sent['webhook-timestamp'])}.`
      return `v1,${createHmac('sha256', key).update(text).update(body).digest('base64')}`
    }
    const signatures = ({ headers: sent }: Received) => String(sent['webhook-signature']).split(' ')
    const verified = (secret: string, { body, headers: sent, at }: Received) =>
      verifyWebhook(body, String(sent['x-service-signature']), secret, { now: at })
    const rotate = async (id: string, overlapHours?: number) =>
      (
        await portal.call('portal.webhooks.rotateSecret', {
          ...one(id),
          ...(overlapHours === undefined ? {} : { body: { overlapHours } }),
        })
      ).data

    describe('portal.webhooks.rotateSecret', () => {
      it('signs with both secrets for the overlap, the new one first, and then with the new one alone', async () => {
        const { id, secret: old } = await create()
        const rotated = await rotate(id, 24)
        expect(rotated.previousSecretUntil).toBe(new Date(server.clock.now() + 24 * hour).toISOString())
        const during = await tested(id)
        expect(signatures(during)).toEqual([signedBy(rotated.secret, during), signedBy(old, during)])
        for (const secret of [old, rotated.secret]) expect((await verified(secret, during)).type).toBe('webhook.test')
        server.clock.advance(24 * hour)
        await signIn()
        const after = await tested(id)
        expect(signatures(after)).toEqual([signedBy(rotated.secret, after)])
        await expect(verified(old, after)).rejects.toMatchObject({ reason: 'signature_mismatch' })
        const { items } = (await portal.call('portal.webhooks.list', { params: { orgId }, headers })).data
        expect(items.find((item) => item.id === id)?.previousSecretUntil).toBeNull()
      })

      it('stops the previous secret at once unless asked otherwise, also the one of an overlap that runs', async () => {
        const { id } = await create()
        await rotate(id, 72)
        const last = await rotate(id)
        expect(last.previousSecretUntil).toBeNull()
        const sent = await tested(id)
        expect(signatures(sent)).toEqual([signedBy(last.secret, sent)])
      })

      it('takes no overlap beyond three days', async () => {
        const { id } = await create()
        expect(await refusalOf(rotate(id, 73))).toMatchObject({ code: 'invalid_request' })
      })
    })

    describe('portal.webhooks.sendExample', () => {
      const send = async (id: string, eventType: 'session.ended' | 'evidence.ready') =>
        (await portal.call('portal.webhooks.sendExample', { ...one(id), body: { eventType } })).data

      it('sends what an event of the type has, marked, also one that the endpoint did not subscribe to', async () => {
        const { id, secret } = await create()
        const { eventId, deliveryId } = await send(id, 'evidence.ready')
        const sent = await newest()
        const body = JSON.parse(sent.body.toString('utf8')) as { id: string; type: string; data: { example?: boolean } }
        expect(body).toMatchObject({ id: eventId, type: 'evidence.ready', data: { example: true } })
        expect(sent.headers['x-service-event-type']).toBe('evidence.ready')
        expect(signatures(sent)).toEqual([signedBy(secret, sent)])
        eventCatalog.find(({ type }) => type === 'evidence.ready')?.data.parse(body.data)
        const { items } = (await portal.call('portal.webhooks.deliveries.list', one(id))).data
        expect(items).toMatchObject([
          { id: deliveryId, eventType: 'evidence.ready', example: true, status: 'delivered' },
        ])
      })

      it('is an example when it is sent again, and to readers of the stream it is a test', async () => {
        const { id } = await create()
        const { eventId, deliveryId } = await send(id, 'session.ended')
        await newest()
        const again = { params: { orgId, endpointId: id, deliveryId }, headers }
        const { data } = await portal.call('portal.webhooks.deliveries.replay', again)
        expect(data).toMatchObject({ eventType: 'session.ended', example: true })
        expect((await newest()).body.toString('utf8')).toContain('"example":true')
        const events = await server.client(server.orgs[0].sandboxKey).call('events.list', { query: { limit: 100 } })
        expect(events.data.items.find((event) => event.id === eventId)?.type).toBe('webhook.test')
        expect(events.data.items.map(({ type }) => type)).not.toContain('session.ended')
      })

      it('goes to no endpoint that is switched off, and not without end', async () => {
        const { id } = await create()
        for (let n = 0; n < examplesPerMinute; n++) await send(id, 'session.ended')
        expect(await refusalOf(send(id, 'session.ended'))).toMatchObject({ code: 'rate_limited' })
        server.clock.advance(60_000)
        await portal.call('portal.webhooks.patch', { ...one(id), body: { status: 'disabled' } })
        expect(await refusalOf(send(id, 'session.ended'))).toMatchObject({ code: 'conflict' })
      })
    })
  })
