import { createHmac } from 'node:crypto'
import { eventTypes } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enginesInTurn } from '../../test-support/engines.ts'
import {
  type Answered,
  type Asked,
  ask,
  conflict,
  invalidAt,
  notFound,
  problemOf,
} from '../../test-support/public-api-call.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type Received, type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

/** The signature of the interface, worked out by hand. */
const signedBy = ({ headers, body }: Received, secret: string): boolean => {
  const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? []
  return hex === createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`public API, webhooks (${engine})`, () => {
    let server: TestServer
    let receiver: Receiver

    beforeAll(async () => {
      server = await startServer({ engine })
    })
    beforeEach(async () => {
      receiver = await startReceiver(() => server.clock.now())
    })
    afterEach(async () => {
      const { data } = await call('GET /v1/api/webhooks?limit=100')
      for (const { id } of data.items) await call(`DELETE /v1/api/webhooks/${id}`)
      await receiver.stop()
    })
    afterAll(() => server.stop())

    const call = (line: string, asked?: Asked) => ask(server, line, asked)
    const problem = async (line: string, asked?: Asked) => problemOf(await call(line, asked))
    const strangers = () => [server.orgs[1].sandboxKey, server.orgs[0].liveKey]
    const create = (body: object = {}): Promise<Answered> =>
      call('POST /v1/api/webhooks', { body: { url: receiver.url, eventTypes: ['*'], ...body } })
    const made = async (): Promise<string> => (await create()).data.id
    const test = async (id: string) => (await call(`POST /v1/api/webhooks/${id}/test`)).data

    describe('webhooks.list', () => {
      it("shows the endpoints of the key's own environment, newest first, without a secret", async () => {
        const [first, second] = [await create(), await create()]
        const { data, text } = await call('GET /v1/api/webhooks')
        expect(data).toMatchObject({ total: 2, items: [{ id: second.data.id }, { id: first.data.id }] })
        expect(text).not.toContain('whsec_')
        for (const key of strangers())
          expect((await call('GET /v1/api/webhooks', { key })).data).toMatchObject({ items: [], total: 0 })
        expect(await problem('GET /v1/api/webhooks?limit=101&offset=')).toEqual(invalidAt('limit', 'offset'))
      })
    })

    describe('webhooks.create', () => {
      it('takes every type of the catalogue, and refuses one that is unknown with its place, none, and what is no list', async () => {
        expect((await create({ eventTypes })).status).toBe(201)
        expect(problemOf(await create({ eventTypes: ['session.ended', 'session.exploded'] }))).toEqual(
          invalidAt('eventTypes.1'),
        )
        expect(problemOf(await create({ eventTypes: ['Session.Ended', ''] }))).toEqual(
          invalidAt('eventTypes.0', 'eventTypes.1'),
        )
        for (const wrong of [[], 'session.ended', null, {}, undefined])
          expect(problemOf(await create({ eventTypes: wrong }))).toEqual(invalidAt('eventTypes'))
      })

      it.each([
        '',
        ' ',
        '/hook',
        'javascript:alert(1)',
        'ftp://example.org/hook',
        'https://',
        'https://user@example.org/hook',
        'https://user:secret@example.org/hook',
        'https://:secret@example.org/hook',
        'https://example.org/hook#part',
        `https://example.org/${'x'.repeat(2000)}`,
      ])('refuses the address "%s"', async (url) => {
        const answer = await create({ url })
        expect(problemOf(answer)).toEqual(invalidAt('url'))
        expect(answer.text).not.toContain('secret@')
      })

      it('refuses fields that nobody declared', async () => {
        expect(problemOf(await create({ status: 'disabled', secret: 'whsec_mine', id: 'whk_mine' }))).toEqual(
          invalidAt('status', 'secret', 'id'),
        )
      })
    })

    describe('webhooks.get', () => {
      it('shows configuration and health as the list does, never the secret', async () => {
        const { secret, ...shown } = (await create({ description: 'to the ATS' })).data
        const { status, data } = await call(`GET /v1/api/webhooks/${shown.id}`)
        expect(status).toBe(200)
        expect(data).toEqual(shown)
        expect(secret).toMatch(/^whsec_/)
        expect((await call('GET /v1/api/webhooks')).data.items).toEqual([data])
      })

      it('is not found for a stranger, after its end, and for an id of something else', async () => {
        const id = await made()
        for (const key of strangers()) expect(await problem(`GET /v1/api/webhooks/${id}`, { key })).toEqual(notFound)
        await call(`DELETE /v1/api/webhooks/${id}`)
        for (const gone of [id, 'whk_none', server.orgs[0].orgId])
          expect(await problem(`GET /v1/api/webhooks/${gone}`)).toEqual(notFound)
      })
    })

    describe('webhooks.patch', () => {
      it('refuses what creation refuses, a status that does not exist, and leaves everything as it was', async () => {
        const id = await made()
        const before = (await call(`GET /v1/api/webhooks/${id}`)).data
        const patch = (body: unknown) => problem(`PATCH /v1/api/webhooks/${id}`, { body })
        expect(await patch({ status: 'paused' })).toEqual(invalidAt('status'))
        expect(await patch({ eventTypes: ['nothing'] })).toEqual(invalidAt('eventTypes.0'))
        expect(await patch({ eventTypes: [] })).toEqual(invalidAt('eventTypes'))
        expect(await patch({ url: 'https://u:p@example.org/' })).toEqual(invalidAt('url'))
        expect(await patch({ url: 'https://example.org/#x' })).toEqual(invalidAt('url'))
        expect(await patch({ url: null, status: null })).toEqual(invalidAt('url', 'status'))
        expect((await call(`GET /v1/api/webhooks/${id}`)).data).toEqual(before)
      })

      it('of nothing is an answer without a change of what is configured', async () => {
        const id = await made()
        const before = (await call(`GET /v1/api/webhooks/${id}`)).data
        const { status, data } = await call(`PATCH /v1/api/webhooks/${id}`, { body: {} })
        expect(status).toBe(200)
        expect({ ...data, updatedAt: before.updatedAt }).toEqual(before)
      })
    })

    describe('webhooks.delete', () => {
      it('says what it deleted; again it is not found', async () => {
        const id = await made()
        for (const key of strangers()) expect(await problem(`DELETE /v1/api/webhooks/${id}`, { key })).toEqual(notFound)
        const first = await call(`DELETE /v1/api/webhooks/${id}`)
        expect([first.status, first.data]).toEqual([200, { id, deleted: true }])
        expect(await problem(`DELETE /v1/api/webhooks/${id}`)).toEqual(notFound)
      })
    })

    describe('webhooks.rotateSecret', () => {
      it('gives another secret once, and the next delivery is signed with it alone', async () => {
        const { id, secret } = (await create()).data
        const { status, data } = await call(`POST /v1/api/webhooks/${id}/rotate-secret`)
        expect(status).toBe(200)
        expect(data.secret).toMatch(/^whsec_/)
        expect(data.secret).not.toBe(secret)
        expect((await call(`GET /v1/api/webhooks/${id}`)).text).not.toContain('whsec_')
        await test(id)
        await server.processAll()
        const [delivered] = receiver.received
        expect(delivered && signedBy(delivered, data.secret)).toBe(true)
        expect(delivered && signedBy(delivered, secret)).toBe(false)
      })
    })

    describe('webhooks.test', () => {
      it('answers 202 with the event and the delivery, and the event is in the list of events', async () => {
        const id = await made()
        const { eventId, deliveryId } = await test(id)
        expect(deliveryId).toMatch(/^dlv_/)
        const { items } = (await call('GET /v1/api/events?types=webhook.test&limit=1')).data
        expect(items[0]).toMatchObject({ id: eventId, type: 'webhook.test', data: { webhook: { id } } })
        expect(items[0]).not.toHaveProperty('sessionId')
        for (const key of strangers())
          expect(await problem(`POST /v1/api/webhooks/${id}/test`, { key })).toEqual(notFound)
      })
    })

    describe('webhooks.deliveries.list', () => {
      it('filters by status and type, and refuses values out of their sets', async () => {
        const id = await made()
        const { deliveryId } = await test(id)
        const log = (query: string) => `GET /v1/api/webhooks/${id}/deliveries?${query}`
        expect((await call(log('status=pending&eventType=webhook.test'))).data).toMatchObject({
          total: 1,
          items: [{ id: deliveryId }],
        })
        expect((await call(log('status=delivered'))).data).toMatchObject({ total: 0, items: [] })
        await server.processAll()
        expect((await call(log('status=delivered'))).data).toMatchObject({
          total: 1,
          items: [{ id: deliveryId, attemptCount: 1, nextAttemptAt: null }],
        })
        expect((await call(log('eventType=session.ended'))).data).toMatchObject({ total: 0, items: [] })
        for (const [query, path] of [
          ['status=', 'status'],
          ['status=failed', 'status'],
          ['status=delivered,pending', 'status'],
          ['eventType=', 'eventType'],
          ['eventType=*', 'eventType'],
          ['eventType=session.exploded', 'eventType'],
          ['limit=0', 'limit'],
          ['offset=-1', 'offset'],
        ])
          expect(await problem(log(String(query))), query).toEqual(invalidAt(String(path)))
        for (const key of strangers()) expect(await problem(log(''), { key })).toEqual(notFound)
      })
    })

    describe('webhooks.deliveries.replay', () => {
      it("is a conflict before the end of a delivery, and not found for another endpoint's", async () => {
        const [id, other] = [await made(), await made()]
        const { deliveryId } = await test(id)
        const replay = (endpoint: string, asked?: Asked) =>
          call(`POST /v1/api/webhooks/${endpoint}/deliveries/${deliveryId}/replay`, asked)
        expect(problemOf(await replay(id))).toEqual(conflict)
        await server.processAll()
        expect(problemOf(await replay(other))).toEqual(notFound)
        for (const key of strangers()) expect(problemOf(await replay(id, { key }))).toEqual(notFound)
        const { status, data } = await replay(id)
        expect(status).toBe(202)
        expect(data).toMatchObject({ replayOf: deliveryId, status: 'pending', attemptCount: 0, attempts: [] })
        expect(data.id).not.toBe(deliveryId)
        expect((await call(`GET /v1/api/webhooks/${id}/deliveries`)).data.total).toBe(2)
      })
    })
  })

describe('outside development', () => {
  it('an http address is refused when an endpoint is registered and when it is changed', async () => {
    const server = await startServer({ env: { WEBHOOK_ALLOW_PRIVATE: '' } })
    try {
      const body = { url: 'http://93.184.215.14/hook', eventTypes: ['*'] }
      const refused = await ask(server, 'POST /v1/api/webhooks', { body })
      expect(problemOf(refused)).toEqual(invalidAt('url'))
      expect(refused.error?.message).toMatch(/https/)
      const { data } = await ask(server, 'POST /v1/api/webhooks', {
        body: { ...body, url: 'https://93.184.215.14/hook' },
      })
      const changed = await ask(server, `PATCH /v1/api/webhooks/${data.id}`, { body: { url: body.url } })
      expect(problemOf(changed)).toEqual(invalidAt('url'))
      expect((await ask(server, `GET /v1/api/webhooks/${data.id}`)).data.url).toBe('https://93.184.215.14/hook')
    } finally {
      await server.stop()
    }
  })
})
