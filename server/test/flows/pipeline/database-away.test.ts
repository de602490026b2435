import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../../test-support/databases.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { type Gate, startGate } from '../../test-support/gate.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { until } from '../../test-support/until.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'

describe.skipIf(!hasEngine('postgres'))('a database that is away for a minute', () => {
  let database: FreshDatabase
  let gate: Gate
  let server: TestServer
  let receiver: Receiver
  beforeEach(async () => {
    database = await freshDatabase('postgres')
    const url = new URL(database.databaseUrl!)
    gate = await startGate(Number(url.port))
    url.port = String(gate.port)
    server = await startServer({ env: { DATABASE_URL: url.href } })
    receiver = await startReceiver(() => server.clock.now())
  })
  afterEach(async () => {
    gate.open()
    await server.stop()
    await receiver.stop()
    await gate.stop()
    await database.drop()
  })

  it('is told by answers, readiness and a metric, and nothing that was answered is lost or doubled', async () => {
    const api = server.client(server.orgs[0].sandboxKey)
    const create = async (externalId: string) => (await api.call('sessions.create', { body: { externalId } })).data.id
    await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['session.scheduled'] } })
    const made = [await create('before-1'), await create('before-2')]

    gate.shut()
    const asked = [
      () => create('away'),
      () => api.call('sessions.list'),
      () => api.call('sessions.get', { params: { id: made[0]! } }),
    ]
    for (const ask of asked)
      expect(await refusalOf(ask())).toMatchObject({
        code: 'service_unavailable',
        status: 503,
        message: expect.stringContaining('the database cannot be reached'),
        retryAfterMs: expect.any(Number),
      })
    server.clock.advance(60_000)
    expect(await refusalOf(server.client().call('health.ready'))).toMatchObject({ status: 503 })
    expect((await server.app.metrics.render()).text).toMatch(/outages_total\{cause="database_unreachable"\} [1-9]/)

    gate.open()
    await until(async () => (await api.call('sessions.list').catch(() => undefined))?.status === 200)
    made.push(await create('after'))
    server.clock.advance(2000)
    expect((await server.client().call('health.ready')).data.status).toBe('ready')
    await server.processAll()
    const { data } = await api.call('sessions.list', { query: { limit: 100 } })
    expect(data.items.map(({ id }) => id).toSorted()).toEqual(made.toSorted())
    const told = receiver.received.map(({ body }) => (JSON.parse(body.toString()) as { sessionId: string }).sessionId)
    expect(told.toSorted()).toEqual(made.toSorted())
  })
})
