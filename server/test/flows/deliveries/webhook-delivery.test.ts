import { maxAttempts, retryWaitsSeconds } from '@integrity/protocol'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { describeDeliveries, header } from '../../test-support/delivery-bench.ts'
import { publish, publishMany } from '../../test-support/publish.ts'

describeDeliveries('webhook deliveries', (t) => {
  describe('one delivery', () => {
    it('is accepted by the verifiers of stripe and standardwebhooks with the secret as it was handed out', async () => {
      const { secret } = await t.create()
      const event = await publish(t.server)
      await t.server.processAll()
      const [request] = t.receiver.received
      const body = request?.body ?? Buffer.alloc(0)
      expect(body.toString()).toBe(event.envelope)
      const stripe = new Stripe('sk_test_unused')
      const verified = stripe.webhooks.constructEvent(body, header(request, 'x-service-signature'), secret, 300)
      expect(verified.id).toBe(event.id)
      expect(new Webhook(secret).verify(body, request?.headers as Record<string, string>)).toMatchObject({
        id: event.id,
      })
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
      const { id, secret } = await t.create()
      t.receiver.answer({ status: 500 })
      await publish(t.server)
      await t.server.processAll()
      const rotated = (await t.api.call('webhooks.rotateSecret', { params: { id } })).data.secret
      expect(rotated).not.toBe(secret)
      t.clock.advance(11_000)
      await t.server.processAll()
      const request = t.receiver.received[1]
      const headers = request?.headers as Record<string, string>
      expect(new Webhook(rotated).verify(request?.body ?? '', headers)).toBeDefined()
      expect(() => new Webhook(secret).verify(request?.body ?? '', headers)).toThrow()
    })
  })

  describe('the schedule', () => {
    it('makes exactly 6 attempts, never early and at most a tenth late, then a dead letter', async () => {
      const { id } = await t.create()
      t.receiver.answer({ status: 500 })
      const event = await publish(t.server)
      await t.server.processAll()
      for (const [index, seconds] of retryWaitsSeconds.entries()) {
        expect(t.receiver.received).toHaveLength(index + 1)
        expect((await t.log(id))[0]).toMatchObject({ status: 'retrying', attemptCount: index + 1 })
        t.clock.advance(seconds * 1000 - 1)
        await t.server.processAll()
        expect(t.receiver.received).toHaveLength(index + 1)
        t.clock.advance(seconds * 100 + 1)
        await t.server.processAll()
      }
      t.clock.advance(7 * 86_400_000)
      await t.server.processAll()
      expect(t.receiver.received).toHaveLength(maxAttempts)
      const [delivery] = await t.log(id)
      expect(delivery).toMatchObject({ status: 'dead_letter', attemptCount: maxAttempts, nextAttemptAt: null })
      expect(delivery?.attempts.map((a) => [a.attempt, a.outcome])).toEqual(
        [1, 2, 3, 4, 5, 6].map((n) => [n, 'http_error']),
      )
      expect(t.receiver.received.map((r) => header(r, 'x-service-delivery-attempt'))).toEqual([
        '1',
        '2',
        '3',
        '4',
        '5',
        '6',
      ])
      expect(new Set(t.receiver.received.map((r) => header(r, 'x-service-event-id')))).toEqual(new Set([event.id]))
      expect(new Set(t.receiver.received.map((r) => header(r, 'x-service-signature'))).size).toBe(maxAttempts)
      expect(await t.get(id)).toMatchObject({ consecutiveFailures: 1, status: 'enabled' })
    })

    it('stops at the first success and clears the failures in a row', async () => {
      const { id } = await t.create()
      t.receiver.answer({ status: 500 })
      await publish(t.server)
      await t.exhaust()
      expect((await t.get(id)).consecutiveFailures).toBe(1)
      t.receiver.answer((_request, index) => ({ status: index === maxAttempts ? 503 : 200 }))
      await publish(t.server)
      await t.exhaust()
      expect((await t.log(id))[0]).toMatchObject({ status: 'delivered', attemptCount: 2, nextAttemptAt: null })
      expect((await t.get(id)).consecutiveFailures).toBe(0)
    })

    it.each([
      ['429', { 'retry-after': '120' }],
      ['503', { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }],
    ])('waits as the schedule says after a %s, whatever its Retry-After asks for', async (status, headers) => {
      await t.create()
      t.receiver.answer((_request, index) => (index === 0 ? { status: Number(status), headers } : { status: 204 }))
      await publish(t.server)
      await t.server.processAll()
      t.clock.advance(9999)
      await t.server.processAll()
      expect(t.receiver.received).toHaveLength(1)
      t.clock.advance(1001)
      await t.server.processAll()
      expect(t.receiver.received).toHaveLength(2)
    })

    it('counts a redirect as a failure and does not follow it', async () => {
      const elsewhere = await t.newReceiver()
      const { id } = await t.create()
      t.receiver.answer({ status: 302, headers: { location: elsewhere.url } })
      await publish(t.server)
      await t.server.processAll()
      expect((await t.log(id))[0]).toMatchObject({
        status: 'retrying',
        attempts: [{ outcome: 'http_error', statusCode: 302 }],
      })
      expect(elsewhere.received).toEqual([])
    })

    it('counts a receiver that is not there as a failure', async () => {
      const { id } = await t.create()
      await t.receiver.stop()
      await publish(t.server)
      await t.server.processAll()
      expect((await t.log(id))[0]?.attempts).toMatchObject([{ outcome: 'network_error' }])
    })
  })

  describe('an endpoint that fails', () => {
    it('is tried again after a 410 as after any failure', async () => {
      const { id } = await t.create()
      t.receiver.answer({ status: 410 })
      await publish(t.server)
      await t.exhaust()
      expect(await t.get(id)).toMatchObject({ status: 'enabled', consecutiveFailures: 1 })
      expect((await t.log(id))[0]).toMatchObject({ status: 'dead_letter', attemptCount: maxAttempts })
    })

    it('is disabled by 10 dead letters in a row, with one e-mail to the admins, and enabled again with a clean count', async () => {
      const { id, url } = await t.create()
      const known = new Set(await t.mails())
      t.receiver.answer({ status: 500 })
      const events = await publishMany(t.server, 9)
      await t.exhaust()
      expect(await t.get(id)).toMatchObject({ status: 'enabled', consecutiveFailures: 9 })
      events.push(...(await publishMany(t.server, 1)))
      await t.exhaust()
      expect(await t.get(id)).toMatchObject({
        status: 'disabled',
        disabledReason: expect.stringContaining('in a row') as string,
      })
      await t.server.processAll()
      // That there is a new receiver is told beside, as a change of the statement.
      const isOfEndpoint = (mail: string) => !known.has(mail) && !mail.includes('data protection statement')
      const fresh = (await t.mails()).filter(isOfEndpoint)
      expect(fresh).toHaveLength(1)
      expect(fresh[0]).toContain(url)
      const owner = await t.server.app.db.reader.get<{ email: string }>('SELECT email FROM users WHERE user_id = ?', [
        t.server.orgs[0].userId,
      ])
      expect(fresh[0]).toContain(`To: ${owner?.email}`)
      const audit = await t.server.app.db.reader.all('SELECT 1 AS one FROM audit_log WHERE action = ? AND target = ?', [
        'webhook.disabled',
        id,
      ])
      expect(audit).toHaveLength(1)
      await t.setStatus(id, 'enabled')
      expect(await t.get(id)).toMatchObject({ status: 'enabled', consecutiveFailures: 0, disabledReason: null })
    })

    it('holds what still waits when it is disabled, and is disabled once, whatever fails beside the tenth', async () => {
      const { id } = await t.create()
      t.receiver.answer({ status: 500 })
      const [waits] = await publishMany(t.server, 1)
      await t.server.processAll()
      const { db } = t.server.app
      const later = t.clock.now() + 365 * 86_400_000
      await db.transact((tx) =>
        tx.run('UPDATE webhook_deliveries SET next_attempt_at = ? WHERE endpoint_id = ?', [later, id]),
      )
      await publishMany(t.server, 12)
      await t.exhaust()
      const told = "SELECT 1 AS one FROM audit_log WHERE action = 'webhook.disabled' AND target = ?"
      expect(await db.reader.all(told, [id])).toHaveLength(1)
      const row = 'SELECT next_attempt_at AS due FROM webhook_deliveries WHERE endpoint_id = ? AND event_id = ?'
      expect(await db.reader.all(row, [id, waits!.id])).toEqual([{ due: null }])
    })

    it('keeps the wait of a held retry when it is enabled again', async () => {
      const { id } = await t.create()
      t.receiver.answer({ status: 500 })
      await publish(t.server)
      await t.server.processAll()
      await t.setStatus(id, 'disabled')
      t.clock.advance(5000)
      await t.setStatus(id, 'enabled')
      await t.server.processAll()
      expect(t.receiver.received).toHaveLength(1)
      t.clock.advance(6000)
      await t.server.processAll()
      expect(t.receiver.received).toHaveLength(2)
    })
  })
})
