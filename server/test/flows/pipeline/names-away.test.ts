import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildCaptureSession, newClientId, picture, sendStill, sha256 } from '../../test-support/capture-session.ts'
import { describeEachDatabase } from '../../test-support/databases.ts'
import { type Names, startNames } from '../../test-support/names.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { type S3Double, startS3Double } from '../../test-support/s3-double.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { type SmtpServer, startSmtp } from '../../test-support/smtp.ts'
import { type Receiver, startReceiver } from '../../test-support/webhook-receiver.ts'
import { inDouble, opens, storageOf } from '../storage/storage.test-support.ts'

const minute = 60_000

describeEachDatabase('a minute in which no name is found', (_open, engine) => {
  let names: Names
  let server: TestServer
  let smtp: SmtpServer
  let receiver: Receiver
  let double: S3Double
  beforeAll(async () => {
    names = startNames()
    smtp = await startSmtp()
    double = await startS3Double()
    server = await startServer({ engine, env: { SMTP_URL: names.as(`mail-${engine}`, smtp.url) } })
    receiver = await startReceiver(() => server.clock.now())
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    await server.stop()
    await Promise.all([smtp.stop(), double.stop(), receiver.stop()])
  })

  const ids = () => receiver.received.map(({ headers }) => headers['x-service-event-id'])

  it('is told of the receiver, the mail server and the object store, loses nothing, and all goes on after it', async () => {
    const [{ email, sandboxKey }] = server.orgs
    const asked = () => server.client(sandboxKey)
    await storageOf(server).put(inDouble({ ...double, endpoint: names.as('store', double.endpoint) }))
    const url = names.as('receiver', receiver.url)
    const { data: endpoint } = await asked().call('webhooks.create', { body: { url, eventTypes: ['*'] } })
    const begun = await buildCaptureSession(server)
    await server.processAll()
    const before = receiver.received.length
    expect(before).toBeGreaterThan(0)

    names.away()
    // Connections that were open need no name. This one is new, and starts without any.
    await server.restart()
    const api = asked()
    const session = { ...begun, api, agent: server.client(begun.token) }
    const still = { bytes: await picture(), clientId: newClientId() }
    expect(await refusalOf(sendStill(server, session, still))).toMatchObject({
      status: 503,
      code: 'service_unavailable',
      retryAfterMs: 10_000,
    })
    expect((await server.app.metrics.render()).text).toMatch(/outages_total\{cause="store_unreachable"\} [1-9]/)
    const { data: created } = await api.call('sessions.create', { body: { externalId: 'meanwhile' } })
    await server.client().call('auth.password.forgot', { body: { email } })
    await server.processAll()
    expect(names.missed()).toBeGreaterThanOrEqual(3)
    expect([receiver.received.length, smtp.received.length]).toEqual([before, 0])
    const log = async () => {
      const { data } = await api.call('webhooks.deliveries.list', { params: { id: endpoint.id } })
      return data.items.filter(({ status }) => status !== 'delivered')
    }
    const [waiting, ...more] = await log()
    expect(more).toEqual([])
    expect(waiting).toMatchObject({
      status: 'retrying',
      attempts: [{ outcome: 'network_error' }],
    })
    const letters = () =>
      server.app.db.reader.all<{ state: string; attempts: number; error: string | null }>(
        `SELECT state, attempts, last_error AS error FROM jobs WHERE kind = 'auth.password_link'`,
      )
    expect(await letters()).toMatchObject([
      { state: 'queued', attempts: 1, error: expect.stringContaining('EAI_AGAIN') },
    ])
    expect((await server.client().call('health.ready')).data.status).toBe('ready')
    expect((await api.call('sessions.get', { params: { id: session.id } })).data.state).toBe('live')

    names.back()
    server.clock.advance(minute)
    await server.processAll()
    expect(await log()).toEqual([])
    expect(new Set(ids()).size).toBe(receiver.received.length)
    expect(receiver.received.at(-1)?.body.toString()).toContain(created.id)
    expect(smtp.received.map(({ to }) => to)).toEqual([[email]])
    expect((await letters())[0]?.state).toBe('done')
    const { data: kept } = await sendStill(server, session, still)
    expect(await opens(server, session, { id: kept.id, sha256: sha256(still.bytes) })).toBe(true)
  })
})
