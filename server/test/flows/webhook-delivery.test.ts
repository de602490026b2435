import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { maxAttempts, retryWaitsSeconds } from '@integrity/protocol'
import type { Client } from '@integrity/protocol/client'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimDue } from '../../src/domains/webhooks/delivery.claim.service.ts'
import { createDispatcher } from '../../src/domains/webhooks/webhooks.dispatcher.ts'
import { createManualClock, type ManualClock } from '../../src/platform/jobs/manual-clock.test-support.ts'
import { hasEngine } from '../support/databases.ts'
import { publish, publishMany } from '../support/publish.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Received, type Receiver, startReceiver } from '../support/webhook-receiver.ts'

const header = (request: Received | undefined, name: string): string => String(request?.headers[name])
const idsOf = (requests: readonly Received[]): string[] => requests.map((request) => header(request, 'x-service-delivery-id'))

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`webhook deliveries (${engine})`, () => {
    let server: TestServer
    let clock: ManualClock
    let receiver: Receiver
    let api: Client
    let made: string[] = []
    let receivers: Receiver[] = []

    beforeAll(async () => {
      // The public libraries compare with the real time.
      clock = createManualClock(Date.now())
      server = await startServer({ engine, overrides: { clock } })
      api = server.client(server.orgs[0].sandboxKey)
    })
    beforeEach(async () => {
      receiver = await newReceiver()
    })
    afterEach(async () => {
      for (const id of made) await api.call('webhooks.delete', { params: { id } }).catch(() => undefined)
      await Promise.all(receivers.map((one) => one.stop()))
      made = []
      receivers = []
    })
    afterAll(() => server.stop())

    const newReceiver = async () => {
      const started = await startReceiver(() => clock.now())
      receivers.push(started)
      return started
    }
    const create = async (to: Receiver = receiver) => {
      const { data } = await api.call('webhooks.create', { body: { url: to.url, eventTypes: ['*'] } })
      made.push(data.id)
      return data
    }
    const get = async (id: string) => (await api.call('webhooks.get', { params: { id } })).data
    const log = async (id: string) =>
      (await api.call('webhooks.deliveries.list', { params: { id }, query: { limit: 100 } })).data.items
    const setStatus = (id: string, status: 'enabled' | 'disabled') =>
      api.call('webhooks.patch', { params: { id }, body: { status } })
    const mails = async (): Promise<string[]> => {
      const dir = path.join(server.app.config.dataDir, 'outbox')
      const names = await readdir(dir).catch((): string[] => [])
      const texts = await Promise.all(names.sort().map((name) => readFile(path.join(dir, name), 'utf8')))
      return texts.map((text) => `${text}\n${Buffer.from(text.split('\r\n\r\n')[1] ?? '', 'base64').toString('utf8')}`)
    }
    /** Lets every retry of the schedule come and go. */
    const exhaust = async () => {
      await server.processAll()
      for (const seconds of retryWaitsSeconds) {
        clock.advance(seconds * 1100)
        await server.processAll()
      }
    }

    describe('one delivery', () => {
      it('is accepted by the verifiers of stripe and standardwebhooks with the secret as it was handed out', async () => {
        const { secret } = await create()
        const event = await publish(server)
        await server.processAll()
        const [request] = receiver.received
        const body = request?.body ?? Buffer.alloc(0)
        expect(body.toString()).toBe(event.envelope)
        const stripe = new Stripe('sk_test_unused')
        const verified = stripe.webhooks.constructEvent(body, header(request, 'x-service-signature'), secret, 300)
        expect(verified.id).toBe(event.id)
        expect(new Webhook(secret).verify(body, request?.headers as Record<string, string>)).toMatchObject({ id: event.id })
        expect(request?.headers).toMatchObject({
          'content-type': 'application/json',
          'x-service-event-id': event.id,
          'x-service-event-type': 'session.scheduled',
          'x-service-delivery-attempt': '1',
          'webhook-id': event.id,
        })
        expect(header(request, 'user-agent')).toMatch(/^Service-Webhooks\//)
      })

      it('is signed with a rotated secret at once, though it was queued before', async () => {
        const { id, secret } = await create()
        receiver.answer({ status: 500 })
        await publish(server)
        await server.processAll()
        const rotated = (await api.call('webhooks.rotateSecret', { params: { id } })).data.secret
        expect(rotated).not.toBe(secret)
        clock.advance(11_000)
        await server.processAll()
        const request = receiver.received[1]
        const headers = request?.headers as Record<string, string>
        expect(new Webhook(rotated).verify(request?.body ?? '', headers)).toBeDefined()
        expect(() => new Webhook(secret).verify(request?.body ?? '', headers)).toThrow()
      })
    })

    describe('the schedule', () => {
      it('makes exactly 6 attempts, never early and at most a tenth late, then a dead letter', async () => {
        const { id } = await create()
        receiver.answer({ status: 500 })
        const event = await publish(server)
        await server.processAll()
        for (const [index, seconds] of retryWaitsSeconds.entries()) {
          expect(receiver.received).toHaveLength(index + 1)
          expect((await log(id))[0]).toMatchObject({ status: 'retrying', attemptCount: index + 1 })
          clock.advance(seconds * 1000 - 1)
          await server.processAll()
          expect(receiver.received).toHaveLength(index + 1)
          clock.advance(seconds * 100 + 1)
          await server.processAll()
        }
        clock.advance(7 * 86_400_000)
        await server.processAll()
        expect(receiver.received).toHaveLength(maxAttempts)
        const [delivery] = await log(id)
        expect(delivery).toMatchObject({ status: 'dead_letter', attemptCount: maxAttempts, nextAttemptAt: null })
        expect(delivery?.attempts.map((a) => [a.attempt, a.outcome])).toEqual([1, 2, 3, 4, 5, 6].map((n) => [n, 'http_error']))
        expect(receiver.received.map((r) => header(r, 'x-service-delivery-attempt'))).toEqual(['1', '2', '3', '4', '5', '6'])
        expect(new Set(receiver.received.map((r) => header(r, 'x-service-event-id')))).toEqual(new Set([event.id]))
        expect(new Set(receiver.received.map((r) => header(r, 'x-service-signature'))).size).toBe(maxAttempts)
        expect(await get(id)).toMatchObject({ consecutiveFailures: 1, status: 'enabled' })
      })

      it('stops at the first success and clears the failures in a row', async () => {
        const { id } = await create()
        receiver.answer({ status: 500 })
        await publish(server)
        await exhaust()
        expect((await get(id)).consecutiveFailures).toBe(1)
        receiver.answer((_request, index) => ({ status: index === maxAttempts ? 503 : 200 }))
        await publish(server)
        await exhaust()
        expect((await log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 2, nextAttemptAt: null })
        expect((await get(id)).consecutiveFailures).toBe(0)
      })

      it('waits as long as a 429 asks for with Retry-After', async () => {
        await create()
        receiver.answer((_request, index) =>
          index === 0 ? { status: 429, headers: { 'retry-after': '120' } } : { status: 204 },
        )
        await publish(server)
        await server.processAll()
        clock.advance(119_999)
        await server.processAll()
        expect(receiver.received).toHaveLength(1)
        clock.advance(2000)
        await server.processAll()
        expect(receiver.received).toHaveLength(2)
      })

      it('counts a redirect as a failure and does not follow it', async () => {
        const elsewhere = await newReceiver()
        const { id } = await create()
        receiver.answer({ status: 302, headers: { location: elsewhere.url } })
        await publish(server)
        await server.processAll()
        expect((await log(id))[0]).toMatchObject({ status: 'retrying', attempts: [{ outcome: 'http_error', statusCode: 302 }] })
        expect(elsewhere.received).toEqual([])
      })

      it('counts a receiver that is not there as a failure', async () => {
        const { id } = await create()
        await receiver.stop()
        await publish(server)
        await server.processAll()
        expect((await log(id))[0]?.attempts).toMatchObject([{ outcome: 'network_error' }])
      })
    })

    describe('an endpoint that fails', () => {
      it('is disabled at once by 410, its queue held and its admins told', async () => {
        const { id, url } = await create()
        const before = (await mails()).length
        receiver.answer({ status: 410 })
        await publish(server)
        await server.processAll()
        expect(await get(id)).toMatchObject({ status: 'disabled', disabledReason: expect.stringContaining('410') as string })
        expect((await log(id))[0]).toMatchObject({ status: 'dead_letter', attemptCount: 1 })
        await server.processAll()
        const sent = (await mails()).slice(before)
        expect(sent).toHaveLength(1)
        expect(sent[0]).toContain(url)
      })

      it('is disabled by 10 dead letters in a row, with one e-mail to the admins, and enabled again with a clean count', async () => {
        const { id, url } = await create()
        const known = new Set(await mails())
        receiver.answer({ status: 500 })
        const events = await publishMany(server, 9)
        await exhaust()
        expect(await get(id)).toMatchObject({ status: 'enabled', consecutiveFailures: 9 })
        events.push(...(await publishMany(server, 2)))
        await exhaust()
        // The one that would have been the eleventh dead letter may have been held before its last attempt.
        expect(await get(id)).toMatchObject({ status: 'disabled', disabledReason: expect.stringContaining('in a row') as string })
        await server.processAll()
        const fresh = (await mails()).filter((mail) => !known.has(mail))
        expect(fresh).toHaveLength(1)
        expect(fresh[0]).toContain(url)
        const owner = await server.app.db.reader.get<{ email: string }>('SELECT email FROM users WHERE user_id = ?', [
          server.orgs[0].userId,
        ])
        expect(fresh[0]).toContain(`To: ${owner?.email}`)
        const audit = await server.app.db.reader.all('SELECT 1 AS one FROM audit_log WHERE action = ? AND target = ?', [
          'webhook.disabled',
          id,
        ])
        expect(audit).toHaveLength(1)
        await setStatus(id, 'enabled')
        expect(await get(id)).toMatchObject({ status: 'enabled', consecutiveFailures: 0, disabledReason: null })
      })

      it('keeps the wait of a held retry when it is enabled again', async () => {
        const { id } = await create()
        receiver.answer({ status: 500 })
        await publish(server)
        await server.processAll()
        await setStatus(id, 'disabled')
        clock.advance(5000)
        await setStatus(id, 'enabled')
        await server.processAll()
        expect(receiver.received).toHaveLength(1)
        clock.advance(6000)
        await server.processAll()
        expect(receiver.received).toHaveLength(2)
      })
    })

    describe('a receiver that hangs', () => {
      it('ends as a timeout and is tried again', async () => {
        const { id } = await create()
        receiver.answer('hang')
        await publish(server)
        await createDispatcher(server.app, { timeoutMs: 100 }).processAll()
        expect((await log(id))[0]).toMatchObject({ status: 'retrying', attempts: [{ outcome: 'timeout' }] })
      })

      it('does not delay the deliveries of another endpoint, however many wait for it', async () => {
        const healthy = await newReceiver()
        const slow = await create()
        receiver.answer('hang')
        await publishMany(server, 12)
        const quick = await create(healthy)
        const dispatcher = createDispatcher(server.app, { concurrency: 8, perEndpoint: 2 })
        const all = dispatcher.processAll()
        await receiver.arrived(2)
        const event = await publish(server)
        // Another attempt of the slow endpoint cannot begin, and the loop looks again when one ends: here it is woken.
        const second = createDispatcher(server.app, { concurrency: 8, perEndpoint: 2 })
        const others = second.processAll()
        await healthy.arrived(1)
        expect(header(healthy.received[0], 'x-service-event-id')).toBe(event.id)
        expect(receiver.received.length).toBeLessThanOrEqual(4)
        await Promise.all([slow.id, quick.id].map((id) => api.call('webhooks.delete', { params: { id } })))
        await receiver.stop()
        await Promise.all([all, others])
      })
    })

    describe('several processes', () => {
      it('take over what a process that died had claimed, when its lease has run out', async () => {
        const { id } = await create()
        await publish(server)
        const claims = await claimDue(server.app, { free: 5, perEndpoint: 5, busy: new Map(), owner: 'dead', leaseMs: 40_000 })
        expect(claims).toHaveLength(1)
        expect((await log(id))[0]).toMatchObject({ status: 'pending', nextAttemptAt: null })
        clock.advance(39_999)
        await server.processAll()
        expect(receiver.received).toEqual([])
        clock.advance(1)
        await server.processAll()
        expect(receiver.received).toHaveLength(1)
        expect((await log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 })
      })

      it('send each delivery once for each attempt', async () => {
        await create()
        receiver.answer((request) => ({ status: header(request, 'x-service-delivery-attempt') === '1' ? 500 : 200 }))
        await publishMany(server, 40)
        const dispatchers = [1, 2, 3].map(() => createDispatcher(server.app, { perEndpoint: 3 }))
        await Promise.all(dispatchers.map((one) => one.processAll()))
        expect(new Set(idsOf(receiver.received)).size).toBe(40)
        expect(receiver.received).toHaveLength(40)
        clock.advance(11_000)
        await Promise.all(dispatchers.map((one) => one.processAll()))
        expect(receiver.received).toHaveLength(80)
        expect(new Set(idsOf(receiver.received.slice(40))).size).toBe(40)
      })

      it('record nothing for an attempt that is cut off by a stop, and send it again later', async () => {
        const { id } = await create()
        receiver.answer('hang')
        await publish(server)
        const dispatcher = createDispatcher(server.app)
        dispatcher.start()
        await receiver.arrived(1)
        await dispatcher.stop(AbortSignal.abort())
        expect((await log(id))[0]).toMatchObject({ status: 'pending', attemptCount: 0, attempts: [] })
        receiver.answer({ status: 200 })
        clock.advance(60_000)
        await server.processAll()
        expect((await log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 1 })
      })

      it('send at once when they run in the background, without waiting for a poll', async () => {
        await create()
        const dispatcher = createDispatcher(server.app)
        dispatcher.start()
        await publish(server)
        // The clock stands still, so only the wake-up of the outbox can have brought it.
        await receiver.arrived(1)
        await dispatcher.stop()
        expect(receiver.received).toHaveLength(1)
      })

      it('drop an attempt that ends after its endpoint was deleted', async () => {
        const { id } = await create()
        receiver.answer('hang')
        await publish(server)
        const dispatcher = createDispatcher(server.app, { timeoutMs: 300 })
        const all = dispatcher.processAll()
        await receiver.arrived(1)
        await api.call('webhooks.delete', { params: { id } })
        await all
        const row = await server.app.db.reader.get(
          'SELECT status, attempt_count AS attempts FROM webhook_deliveries WHERE endpoint_id = ?',
          [id],
        )
        expect(row).toEqual({ status: 'cancelled', attempts: 0 })
      })
    })

    it('never sends to an endpoint that was disabled while its attempt was under way in a process that died', async () => {
      const { id } = await create()
      await publish(server)
      await claimDue(server.app, { free: 5, perEndpoint: 5, busy: new Map(), owner: 'dead', leaseMs: 1000 })
      await setStatus(id, 'disabled')
      clock.advance(2000)
      await server.processAll()
      expect(receiver.received).toEqual([])
      await setStatus(id, 'enabled')
      await server.processAll()
      expect(receiver.received).toHaveLength(1)
    })
  })
