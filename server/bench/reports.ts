import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createClient } from '@integrity/client/every-endpoint'
import { agentLanes, type GapReason } from '@integrity/protocol'
import { readAccount } from '../src/domains/reports/account.service.ts'
import type { ReportDocument } from '../src/domains/reports/report.document.model.ts'
import { reportPdf } from '../src/domains/reports/report.pdf.view.ts'
import { openDb } from '../src/platform/db/open-db.ts'
import {
  type Bench,
  type BenchServer,
  type Figure,
  liveSession,
  median,
  memberCookie,
  noCeilings,
  p95,
  startBenchServer,
} from './harness.ts'

const hours = 2
const durationMs = hours * 3_600_000
const events = 20_000
const looks = 100
const rendered = 5
const gapReasons: readonly GapReason[] = ['offline', 'unplugged', 'asleep_or_locked', 'driver_failed']
const goals = { coverageMs: 30, accountMs: 30, pdfMs: 2000, pdfMiB: 150 }

/** Of a hundred events, one that a rule reads. */
const kindOf = (n: number): string => {
  if (n % 200 === 0) return 'display.added'
  if (n % 200 === 1) return 'process.matched'
  return n % 2 === 0 ? 'foreground.changed' : 'clipboard.used'
}

/** An interview of two hours with six lanes: so many stretches of each, with a gap at the end of each. */
const fill = async (
  server: BenchServer,
  { id: sessionId, token }: { readonly id: string; readonly token: string },
  stretches: number,
): Promise<void> => {
  const from = Date.now() - durationMs
  const db = await openDb({ dataDir: server.dataDir })
  await db.transact((tx) =>
    tx.run('UPDATE sessions SET created_at = ?, started_at = ? WHERE session_id = ?', [from, from, sessionId]),
  )
  await db.close()
  const agent = createClient({ baseUrl: server.url, token })
  const iso = (ms: number) => new Date(from + ms).toISOString()
  const common = (n: number) => ({
    clientId: `bench-event-${sessionId}-${n}`,
    observedAt: iso((n * durationMs) / events),
    source: 'bench',
  })
  const seen = (n: number) => ({
    ...common(n),
    kind: kindOf(n),
    data: { observerVersion: 1, method: 'bench', value: { application: 'Editor', id: `${n}` } },
  })
  const stretchMs = Math.floor(durationMs / stretches)
  const windowMs = Math.floor(stretchMs * 0.87)
  const spans = agentLanes.flatMap((lane) =>
    Array.from({ length: stretches }, (_span, n) => ({ lane, fromAt: n * stretchMs, n })),
  )
  const told = spans.flatMap(({ lane, fromAt, n }, index) => {
    const middle = iso(fromAt + windowMs)
    const seconds = { expectedSeconds: windowMs / 1000, observedSeconds: windowMs / 1040 }
    const window = { lane, fromAt: iso(fromAt), toAt: middle, ...seconds }
    const gap = { lane, fromAt: middle, toAt: iso(fromAt + stretchMs), reason: gapReasons[n % 4] }
    return [
      { ...common(0), clientId: `bench-window-${sessionId}-${index}`, kind: 'lane.coverage', data: window },
      { ...common(0), clientId: `bench-gap-${sessionId}-${index}`, kind: 'lane.gap', data: gap },
    ]
  })
  const all = [...Array.from({ length: events }, (_event, n) => seen(n)), ...told]
  for (let n = 0; n < all.length; n += 500)
    await agent.call('agent.events.ingest', {
      params: { id: sessionId },
      body: { events: all.slice(n, n + 500) } as never,
    })
}

const timed = async (url: string, headers: Record<string, string>): Promise<{ ms: number; text: string }> => {
  const started = performance.now()
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`)
  return { ms: performance.now() - started, text }
}

/** What the process that renders takes of time and, at most, of memory. */
const render = async (document: string): Promise<{ ms: number; mib: number }> => {
  const script = fileURLToPath(new URL('../src/platform/pdf/pdf-process.worker.ts', import.meta.url))
  const started = performance.now()
  const child = spawn(process.execPath, ['--max-old-space-size=384', '--max-semi-space-size=4', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let mib = 0
  const look = () => {
    try {
      mib = Math.max(
        mib,
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
      )
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(look, 5)
  child.stdout.resume()
  child.stdin.end(document)
  await once(child, 'close')
  clearInterval(timer)
  return { ms: performance.now() - started, mib }
}

const atMost = (name: string, value: number, unit: string, most: number): Figure => ({
  ...{ name, value: `${value.toFixed(1)} ${unit}`, goal: `< ${most} ${unit}`, met: value < most },
})

/** What it takes to read and make the account of a session that holds as many gaps as one may, p95. */
const accountOfMany = async (server: BenchServer): Promise<number> => {
  const session = await liveSession(server)
  await fill(server, session, Math.floor(2000 / agentLanes.length))
  const db = await openDb({ dataDir: server.dataDir })
  const row = await db.reader.get<{ orgId: string; environment: 'live' | 'sandbox' }>(
    'SELECT org_id AS "orgId", environment FROM sessions WHERE session_id = ?',
    [session.id],
  )
  if (!row) throw new Error('no session')
  const times: number[] = []
  for (let n = 0; n < looks; n++) {
    const started = performance.now()
    await readAccount({ reader: db.reader, scope: row }, session.id)
    times.push(performance.now() - started)
  }
  await db.close()
  return p95(times)
}

export const reports: Bench = {
  name: 'Coverage and report of an interview',
  what: `An interview of ${hours} hours with ${events.toLocaleString('en')} events and ${agentLanes.length} lanes of 24 gaps each, over HTTP on SQLite; its report as PDF by the process that renders, from its start to its end.`,
  async run() {
    const server = await startBenchServer(noCeilings)
    try {
      const session = await liveSession(server)
      await fill(server, session, 24)
      const headers = { cookie: await memberCookie(server) }
      const path = `${server.url}/v1/sessions/${session.id}`
      const figures: Figure[] = []
      for (const query of ['limit=20', 'limit=100', 'minutes=10']) {
        const times: number[] = []
        for (let n = 0; n < looks; n++) times.push((await timed(`${path}/coverage?${query}`, headers)).ms)
        figures.push(atMost(`coverage with moments (${query}), p95`, p95(times), 'ms', goals.coverageMs))
      }
      const { text } = await timed(`${path}/report/export?format=json`, headers)
      const document = JSON.stringify(reportPdf(JSON.parse(text) as ReportDocument, { sha256: '0'.repeat(64) }))
      const runs: { ms: number; mib: number }[] = []
      for (let n = 0; n < rendered; n++) runs.push(await render(document))
      figures.push(atMost('its report as PDF, median', median(runs.map(({ ms }) => ms)), 'ms', goals.pdfMs))
      figures.push(
        atMost('memory of the process that renders it', Math.max(...runs.map(({ mib }) => mib)), 'MiB', goals.pdfMiB),
      )
      figures.push(
        atMost('account of 2,000 gaps from its rows, p95', await accountOfMany(server), 'ms', goals.accountMs),
      )
      return figures
    } finally {
      await server.stop()
    }
  },
}
