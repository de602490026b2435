import { describe, expect, it } from 'vitest'
import { attributesOf, type Collector, startCollector, type WireSpan } from '../../test-support/collector.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { startReceiver } from '../../test-support/webhook-receiver.ts'
import { liveSession, newPicture, stillFor } from '../../test-support/world.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callersSpan = 'b7ad6b7169203331'
const parent = (flags: string) => ({ traceparent: `00-${traceId}-${callersSpan}-${flags}` })

interface Traced {
  readonly server: TestServer
  readonly collector: Collector
  /** What has come once everything is sent. */
  readonly sent: () => Promise<readonly WireSpan[]>
}

const withTraces = async (
  engine: 'sqlite' | 'postgres',
  env: Record<string, string>,
  work: (t: Traced) => Promise<void>,
): Promise<void> => {
  const collector = await startCollector()
  const server = await startServer({
    engine,
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'under-test', ...env },
  })
  const sent = async () => {
    await server.app.traces.stop()
    return collector.spans()
  }
  try {
    await work({ server, collector, sent })
  } finally {
    await server.stop()
    await collector.stop()
  }
}

const one = (spans: readonly WireSpan[], name: string): WireSpan => {
  const found = spans.filter((span) => span.name === name && span.traceId === traceId)
  expect(found, name).toHaveLength(1)
  return found[0]!
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`traces (${engine})`, () => {
    it('go from the integrator through request, transaction and outbox to the webhook and its receiver', async () => {
      await withTraces(engine, {}, async ({ server, collector, sent }) => {
        const receiver = await startReceiver(() => server.clock.now())
        const org = server.orgs[0]
        const api = server.client(org.sandboxKey)
        await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['session.scheduled'] } })
        const { data } = await api.call('sessions.create', { body: { externalId: 'cand-7' }, headers: parent('01') })
        await server.processAll()
        await receiver.stop()
        const spans = await sent()
        const request = one(spans, 'sessions.create')
        expect(request).toMatchObject({ parentSpanId: callersSpan, kind: 2 })
        const published = one(spans, 'outbox.publish')
        const transaction = spans.find(({ spanId }) => spanId === published.parentSpanId)
        expect(transaction).toMatchObject({ name: 'transaction', parentSpanId: request.spanId, traceId })
        const delivery = one(spans, 'webhook.deliver')
        expect(delivery).toMatchObject({ parentSpanId: published.spanId, kind: 3 })
        expect(receiver.received.map(({ headers }) => headers['traceparent'])).toEqual([
          `00-${traceId}-${delivery.spanId}-01`,
        ])
        expect(attributesOf(request.attributes)).toEqual({
          'http.request.method': 'POST',
          'http.route': '/v1/api/sessions',
          'http.response.status_code': '201',
          'app.request_id': expect.stringMatching(/^req_/),
        })
        expect(attributesOf(delivery.attributes)).toEqual({
          'app.event_type': 'session.scheduled',
          'app.attempt': '1',
          'app.outcome': 'success',
          'http.response.status_code': '204',
        })
        for (const resource of collector.resources())
          expect(resource).toMatchObject({ 'service.name': 'under-test', 'service.version': server.app.version })
        const everything = collector.texts.join('\n')
        for (const id of [data.id, org.orgId, org.userId, org.email, 'cand-7', new URL(receiver.url).port])
          expect(everything).not.toContain(id)
        expect(everything).not.toMatch(/(?:ses|org|usr|evd|key|whk|evt|dlv)_[0-9A-Za-z]/)
      })
    })

    it('hold what a job asked for under the request that asked for the job', async () => {
      await withTraces(engine, {}, async ({ server, sent }) => {
        const api = server.client(server.orgs[0].sandboxKey)
        const { data } = await api.call('sessions.create', { body: {} })
        const body = { scenario: 'nothing_goes_wrong', timeScale: 600, dated: 'as_played' } as const
        await api.call('sandbox.simulate', { params: { id: data.id }, body, headers: parent('01') })
        await server.processAll()
        const spans = await sent()
        const asked = one(spans, 'sandbox.simulate')
        const byId = new Map(spans.map((span) => [span.spanId, span]))
        const above = (span: WireSpan | undefined): string[] =>
          span === undefined ? [] : [span.name, ...above(byId.get(span.parentSpanId ?? ''))]
        const job = spans.find(({ name, traceId: of }) => name === 'sandbox.step' && of === traceId)
        expect(job).toMatchObject({ kind: 5 })
        expect(above(job)).toEqual(['sandbox.step', 'transaction', 'sandbox.simulate'])
        expect(above(job).at(-1)).toBe(asked.name)
      })
    })

    it('say where an upload came into its place, and that a refusal is no error of the service', async () => {
      await withTraces(engine, {}, async ({ server, sent }) => {
        const org = server.orgs[0]
        const session = await liveSession(server, { orgId: org.orgId, environment: 'sandbox' }, org.sandboxKey)
        const picture = await newPicture()
        const agent = server.client(session.agent)
        const body = { ...stillFor(server, picture), data: picture.toString('base64') }
        await agent.call('agent.screenshots.upload', { params: { id: session.id }, body, headers: parent('00') })
        const missing = { params: { id: 'ses_01J00000000000000000000000' }, headers: parent('01') }
        await expect(server.client(org.sandboxKey).call('sessions.get', missing)).rejects.toThrow()
        const spans = await sent()
        const upload = one(spans, 'agent.screenshots.upload')
        expect(one(spans, 'storage.put').parentSpanId).toBe(upload.spanId)
        const refused = one(spans, 'sessions.get')
        expect(attributesOf(refused.attributes)).toMatchObject({ 'http.response.status_code': '404' })
        expect(refused.status?.code ?? 0).toBe(0)
      })
    })

    it('record what an integrator asks for and not what an agent asks for, where nothing is drawn', async () => {
      const env = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
      await withTraces(engine, env, async ({ server, sent }) => {
        const org = server.orgs[0]
        const session = await liveSession(server, { orgId: org.orgId, environment: 'sandbox' }, org.sandboxKey)
        const params = { id: session.id }
        const events = { params, body: { events: [] }, headers: parent('01') }
        await server
          .client(session.agent)
          .call('agent.events.ingest', events as never)
          .catch(() => undefined)
        await server.client(org.sandboxKey).call('sessions.get', { params, headers: parent('01') })
        await server.client(org.sandboxKey).call('sessions.get', { params, headers: parent('00') })
        await server.client(org.sandboxKey).call('sessions.get', { params })
        expect((await sent()).map(({ name }) => name)).toEqual(['sessions.get'])
      })
    })

    it('are off without an endpoint: no row and no webhook knows of one', async () => {
      const server = await startServer({ engine })
      const receiver = await startReceiver(() => server.clock.now())
      const api = server.client(server.orgs[0].sandboxKey)
      await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['session.scheduled'] } })
      await api.call('sessions.create', { body: {}, headers: parent('01') })
      await server.processAll()
      expect(receiver.received).toHaveLength(1)
      expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent')
      const rows = 'SELECT traceparent FROM webhook_deliveries UNION SELECT traceparent FROM jobs'
      expect(await server.app.reader.all(rows)).toEqual([{ traceparent: null }])
      await receiver.stop()
      await server.stop()
    })
  })
