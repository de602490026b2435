import { afterEach, describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'
import { type MetricsServer, startMetricsServer } from './metrics-server.ts'

const render = async (metrics: ReturnType<typeof createMetrics>) => (await metrics.render()).text

describe('the metrics', () => {
  it('count requests by endpoint and status and measure them by endpoint', async () => {
    const metrics = createMetrics({ processMetrics: false })
    metrics.request('sessions.create', 201, 0.004)
    metrics.request('sessions.create', 201, 0.2)
    metrics.request('sessions.create', 409, 0.003)
    const text = await render(metrics)
    expect(text).toContain('http_requests_total{endpoint="sessions.create",status="201"} 2')
    expect(text).toContain('http_requests_total{endpoint="sessions.create",status="409"} 1')
    expect(text).toContain('http_request_duration_seconds_count{endpoint="sessions.create"} 3')
    expect(text).toContain('http_request_duration_seconds_bucket{le="0.005",endpoint="sessions.create"} 2')
  })

  it('count commits, deliveries, bytes and jobs', async () => {
    const metrics = createMetrics({ processMetrics: false })
    metrics.commit(7)
    metrics.delivery('timeout', 10)
    metrics.stored('screenshot', 1000)
    metrics.stored('screenshot', 24)
    metrics.job('sweep', 'retry', 0.5)
    const text = await render(metrics)
    expect(text).toContain('db_group_size_sum 7')
    expect(text).toContain('deliveries_total{outcome="timeout"} 1')
    expect(text).toContain('stored_bytes_total{kind="screenshot"} 1024')
    expect(text).toContain('jobs_total{kind="sweep",outcome="retry"} 1')
    expect(text).toContain('job_duration_seconds_count{kind="sweep"} 1')
  })

  it('read a gauge when somebody asks and not before', async () => {
    const metrics = createMetrics({ processMetrics: false })
    let reads = 0
    metrics.gauge('outbox_lag_seconds', 'Age of the oldest event not yet dispatched.', async () => {
      reads += 1
      return 1.5
    })
    expect(reads).toBe(0)
    expect(await render(metrics)).toContain('outbox_lag_seconds 1.5')
    expect(reads).toBe(1)
  })

  it('do not mix with those of another service in the process', async () => {
    const [one, two] = [createMetrics({ processMetrics: false }), createMetrics({ processMetrics: false })]
    one.request('a.b', 200, 0.1)
    expect(await render(two)).not.toContain('a.b')
  })

  it('tell about the process', async () => {
    expect(await render(createMetrics())).toContain('process_resident_memory_bytes')
  })
})

describe('the metrics server', () => {
  let server: MetricsServer | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  const start = async (metrics = createMetrics({ processMetrics: false })) => {
    server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 })
    return `http://127.0.0.1:${server.port}`
  }

  it('answers /metrics in the text format', async () => {
    const metrics = createMetrics({ processMetrics: false })
    metrics.request('health.live', 200, 0.001)
    const answer = await fetch(`${await start(metrics)}/metrics`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    expect(await answer.text()).toContain('endpoint="health.live"')
  })

  it('knows no other path and no other method', async () => {
    const url = await start()
    expect((await fetch(`${url}/`)).status).toBe(404)
    const post = await fetch(`${url}/metrics`, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  it('answers the others when one value cannot be read, and that one as no number', async () => {
    const metrics = createMetrics({ processMetrics: false })
    metrics.outage('database_unreachable')
    metrics.gauge('broken', 'Fails.', () => Promise.reject(new Error('database away')))
    metrics.gauge('thrown', 'Fails at once.', () => {
      throw new Error('database away')
    })
    const answer = await fetch(`${await start(metrics)}/metrics`)
    expect(answer.status).toBe(200)
    const text = await answer.text()
    expect(text).toMatch(/^broken Na[nN]$/m)
    expect(text).toMatch(/^thrown Na[nN]$/m)
    expect(text).toContain('outages_total{cause="database_unreachable"} 1')
    expect(text).not.toContain('database away')
  })
})
