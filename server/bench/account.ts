import { createClient } from '@integrity/client/every-endpoint'
import type { LaneName } from '@integrity/protocol'
import { spansOf } from '../src/domains/interviews/lanes/lanes.service.ts'
import { heldObjects } from '../src/domains/recording/evidence/held.service.ts'
import { accountOf } from '../src/domains/review/reports/account.model.ts'
import { readAccount } from '../src/domains/review/reports/account.service.ts'
import type { Reads } from '../src/kernel/call.ts'
import { iso, picture } from '../test/test-support/capture-session.ts'
import type { PackedItem } from '../test/test-support/packs.ts'
import { beginTwoHoursAgo, sendInPacks, stillAt, twoHoursMs } from '../test/test-support/two-hours.ts'
import { startDeskServer } from './desk-server.ts'
import { type Bench, type Figure, median, p95 } from './harness.ts'

const [events, gaps, windows] = [20_000, 2000, 4800]
const eventsOfBatch = 500
const looks = 100
const mostMs = 30

const sources: readonly { readonly lane: LaneName; readonly displayId?: string }[] = [
  { lane: 'screen', displayId: 'd1' },
  { lane: 'screen', displayId: 'd2' },
  { lane: 'microphone' },
  { lane: 'system_audio' },
  { lane: 'transcript' },
  { lane: 'camera' },
]

/** Evenly over the two hours, of each source in turn; no two of a source touch, and so none is joined with another. */
const eventAt = (beganAt: number, n: number) => {
  const [count, ms] = n < gaps ? [gaps, 2000] : [windows, 8000]
  const place = n < gaps ? n : n - gaps
  const from = beganAt + 1000 + Math.floor((place * (twoHoursMs - 30_000)) / count)
  const told = { ...sources[n % sources.length], fromAt: iso(from), toAt: iso(from + ms) }
  const clientId = `told-${String(n).padStart(5, '0')}`
  const base = { clientId, observedAt: iso(from + ms), source: 'capture' }
  if (n < gaps) return { ...base, kind: 'lane.gap', data: { ...told, reason: 'driver_failed' } }
  const seconds = ms / 1000
  if (place < windows)
    return {
      ...base,
      kind: 'lane.coverage',
      data: { ...told, expectedSeconds: seconds, observedSeconds: seconds - 0.5 },
    }
  const at = iso(beganAt + Math.floor((n * (twoHoursMs - 30_000)) / events))
  const value = { observerVersion: 1, method: 'walk', value: { application: `Program ${n % 7}` } }
  return { clientId, observedAt: at, source: 'foreground', kind: 'foreground.changed', data: value }
}

type Server = Awaited<ReturnType<typeof startDeskServer>>

const interview = async (server: Server): Promise<string> => {
  const s = await beginTwoHoursAgo(server, { audio: { transcript: true } })
  for (let from = 0; from < events; from += eventsOfBatch) {
    const batch = Array.from({ length: eventsOfBatch }, (_, n) => eventAt(s.beganAt, from + n))
    await s.agent.call('agent.events.ingest', { params: { id: s.id }, body: { events: batch } })
  }
  const small = (await picture('webp', 16, 12)).toString('base64')
  const stills: PackedItem[] = []
  for (let at = 0; at < twoHoursMs - 10_000; at += 10_000) stills.push(await stillAt(iso(s.beganAt + at), small))
  await sendInPacks(s, stills)
  await createClient({ baseUrl: server.url, token: server.key }).call('sessions.end', { params: { id: s.id } })
  return s.id
}

interface Timed {
  /** By the clock on the wall, and for how long of it a processor worked. Milliseconds. */
  readonly took: readonly number[]
  readonly worked: readonly number[]
}

/** How long it takes, after looks that are not counted. */
const timed = async (work: () => unknown): Promise<Timed> => {
  const [took, worked]: [number[], number[]] = [[], []]
  for (let n = -looks / 2; n < looks; n += 1) {
    const [began, used] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(used)
    if (n < 0) continue
    took.push(performance.now() - began)
    worked.push((user + system) / 1000)
  }
  return { took, worked }
}

/** The p95, and what it is where nobody else wants the processor. */
const shown = (all: readonly number[]): string => {
  const [ms, half, least] = [p95(all), median(all), Math.min(...all)].map((one) => Math.round(one * 10) / 10)
  return `${ms} ms, median ${half}, least ${least}`
}

const run = async (): Promise<Figure[]> => {
  const server = await startDeskServer()
  try {
    const id = await interview(server)
    const call: Reads = { reader: server.app.db.reader, scope: { orgId: server.orgId, environment: 'live' } }
    const { session, sources: found } = await readAccount(call, id)
    const input = {
      session,
      ...(await spansOf(call, id)),
      objects: await heldObjects(call, id),
    }
    const told = [input.windows, input.gaps].map(({ length }) => length)
    const used = found.filter(({ expectedMs, displayId, lane }) => expectedMs > 0 && (displayId || lane !== 'screen'))
    if (told[0] !== windows || told[1] !== gaps || used.length !== sources.length)
      throw new Error(`the session holds ${told.join(' and ')}, of ${used.length} sources`)
    const whole = await timed(() => readAccount(call, id))
    const reckoned = await timed(() => accountOf(input))
    const goal = { goal: `≤ ${mostMs} ms`, met: p95(whole.took) <= mostMs }
    return [
      { name: `the account, read from SQLite, p95 of ${looks}`, value: shown(whole.took), ...goal },
      { name: 'the processor’s part of it', value: shown(whole.worked) },
      { name: 'what is reckoned of it', value: shown(reckoned.took) },
      { name: 'the processor’s part of that', value: shown(reckoned.worked) },
    ]
  } finally {
    await server.stop()
  }
}

/** The account that report, desk, film and copy begin with. */
export const account: Bench = {
  name: 'The account of an interview',
  what: `An interview of two hours with ${events.toLocaleString('en')} events: ${gaps.toLocaleString('en')} gaps and ${windows.toLocaleString('en')} stretches of coverage of ${sources.length} sources, none of which can be joined, and 719 stills. What was captured of each source, to the millisecond, from what the database holds.`,
  run,
}
