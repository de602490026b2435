import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAdmin } from '../../../src/app/admin-program.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { generateIdentity } from '../../../src/platform/crypto/age-keys.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8')
const rules = read('server/monitoring/alerts.yml')
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name!)
const ruleExpressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, text]) => text!)
const dashboard = JSON.parse(read('server/monitoring/dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const panelExpressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** Names in an expression that are no function: of a metric, all have an underscore or are `up`. */
const metricsIn = (expression: string): string[] =>
  (expression.replace(/"[^"]*"|\$__\w+/g, '').match(/\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b(?!\()/g) ?? []).map((name) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )

describe('what watches the server', () => {
  let server: TestServer
  let families: Map<string, string>
  const scrape = async () => {
    const { text } = await server.app.metrics.render()
    families = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name, type]) => [name!, type!]))
    return text
  }
  beforeAll(async () => {
    server = await startServer()
    await scrape()
  })
  afterAll(() => server.stop())

  it('is made of metrics that are exported', () => {
    const used = new Set([...ruleExpressions, ...panelExpressions].flatMap(metricsIn))
    expect(used.size).toBeGreaterThan(12)
    expect([...used].filter((name) => !families.has(name))).toEqual([])
  })

  it('shows on the dashboard what each alert is made of', () => {
    const shown = new Set(panelExpressions.flatMap(metricsIn))
    expect(ruleExpressions.flatMap(metricsIn).filter((name) => !shown.has(name))).toEqual([])
    expect(shown).toContain('replica_lag_bytes')
  })

  it('is understood by Prometheus: promtool reads each alert', () => {
    const file = fileURLToPath(new URL('../../../monitoring/alerts.yml', import.meta.url))
    const said = execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
    expect(said).toContain(`SUCCESS: ${alerts.length} rules found`)
  })

  it('fires at a first failure and not without one: promtool plays a series for each alert', () => {
    const files = ['alerts.test.yml', 'alerts-of-days.test.yml'].map((name) =>
      fileURLToPath(new URL(`../../../monitoring/${name}`, import.meta.url)),
    )
    expect(execFileSync('promtool', ['test', 'rules', ...files], { encoding: 'utf8' })).toContain('SUCCESS')
    const text = files.map((file) => readFileSync(file, 'utf8')).join('')
    const played = [...text.matchAll(/alertname: (\w+)/g)].map(([, name]) => name!)
    expect(alerts.filter((name) => played.filter((one) => one === name).length < 2)).toEqual([])
  })

  it('begins every series that an alert counts at 0, so that a first failure is a growth', async () => {
    const text = await scrape()
    for (const cause of [
      'disk_full',
      'database_unreachable',
      'database_connections',
      'store_denied',
      'store_unreachable',
    ])
      expect(text).toContain(`outages_total{cause="${cause}"} 0\n`)
    expect(text).toMatch(/^jobs_total\{kind="[^"]*mail[^"]*",outcome="failed"\} 0$/m)
    expect(text).toMatch(/^deliveries_total\{outcome="http_error"\} 0$/m)
    for (const { id } of endpoints)
      for (const status of ['500', '503', '504'])
        expect(text).toContain(`http_requests_total{endpoint="${id}",status="${status}"} 0\n`)
    expect(text).toContain('stored_bytes_total{kind="screenshot"} 0\n')
  })

  it('says what runs: version, commit and newest migration, in the answer of health as in a metric', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const { data } = await server.client().call('health.live')
    expect(data).toMatchObject({ version, commit: expect.stringMatching(/^([0-9a-f]{12}|unknown)$/) })
    expect(data.migration).toBe(migrations.at(-1)?.name)
    const labels = `commit="${data.commit}",migration="${data.migration}"`
    expect(await scrape()).toContain(`build_info{version="${data.version}",${labels}} 1\n`)
  })

  it('exports metrics that promtool has nothing to say about, but for those that the library brings', async () => {
    const { stderr, status } = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input: await scrape() })
    expect([0, 3], stderr).toContain(status)
    expect(stderr.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'))).toEqual([])
  })

  it('names metrics as is usual: counters end in _total, and units are base units', () => {
    const own = [...families].filter(([name]) => !/^(?:process|nodejs)_/.test(name))
    expect(own.length).toBeGreaterThan(10)
    for (const [name, type] of own) {
      expect(name).toMatch(/^[a-z][a-z0-9_]*$/)
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      expect(name).not.toMatch(/_(?:ms|millis|milliseconds|minutes|hours|kb|mb|kib|mib|percent)(?:_|$)/)
    }
  })

  it('has an entry in the runbook for each alert, and none for another', () => {
    const entries = [...read('docs/runbook.md').matchAll(/^## (\w+)\n(.+)/gm)].map(([, name]) => name!)
    expect(alerts.length).toBe(ruleExpressions.length)
    expect(entries).toEqual(alerts)
    const severities = [...rules.matchAll(/severity: (\w+)/g)].map(([, word]) => word)
    expect(severities.length).toBe(alerts.length)
    expect(new Set(severities)).toEqual(new Set(['page', 'ticket']))
  })

  it('says when the last backup was made, and how much room there is', async () => {
    const sampleOf = (text: string, name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1])
    const before = await scrape()
    expect(sampleOf(before, 'backup_last_success_timestamp_seconds')).toBe(0)
    expect(sampleOf(before, 'data_dir_free_bytes')).toBeGreaterThan(0)
    expect(sampleOf(before, 'data_dir_size_bytes')).toBeGreaterThan(sampleOf(before, 'data_dir_free_bytes'))
    const to = await mkdtemp(join(tmpdir(), 'integrity-monitoring-'))
    try {
      const silent = { write: () => undefined }
      const words = ['backup', '--to', to, '--recipient', generateIdentity().recipient]
      const env = { DATA_DIR: server.app.config.dataDir }
      expect(await runAdmin(words, { env, stdout: silent, stderr: silent })).toBe(0)
    } finally {
      await rm(to, { recursive: true })
    }
    expect(sampleOf(await scrape(), 'backup_last_success_timestamp_seconds')).toBeGreaterThan(1.6e9)
  })
})
