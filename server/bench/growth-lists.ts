import { type BenchServer, median, p95 } from './harness.ts'

const pageLimit = 100
/** A list that is slow is looked at less often. */
const mostSecondsOfPlace = 20

interface Listed {
  readonly name: string
  readonly path: string
  readonly filter?: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  /** Where the answer counts no further than somebody wants to know. */
  readonly rows?: number
}

export interface Filled {
  readonly server: BenchServer
  /** Of the owner of the second organisation, whose logs are the long ones; and of the first, whose interviews are. */
  readonly cookies: { readonly second: string; readonly first: string }
  readonly webhookId: string
  readonly sessionId: string
  readonly auditRows: number
}

/** Every list that grows with interviews: whole, and by a filter that matches many rows. */
const listsOf = ({ server, cookies, webhookId, sessionId, auditRows }: Filled): Listed[] => {
  const [first, second] = server.orgs
  if (!first || !second) throw new Error('two organisations are wanted')
  const own = { authorization: `Bearer ${first.sandboxKey}` }
  const key = { authorization: `Bearer ${second.sandboxKey}` }
  const audit = { path: `/v1/orgs/${second.orgId}/audit-logs`, headers: { cookie: cookies.second } }
  const of = (path: string, name: string, filter: Listed['filter'] = {}, headers: Listed['headers'] = own) => ({
    name,
    path,
    filter,
    headers,
  })
  const session = `/v1/api/sessions/${sessionId}`
  const log = `/v1/api/webhooks/${webhookId}/deliveries`
  return [
    of('/v1/api/events', 'events', {}, key),
    of('/v1/api/events', 'events of one type', { types: 'session.ended' }, key),
    of(log, 'deliveries', {}, key),
    of(log, 'deliveries of one status', { status: 'delivered' }, key),
    { ...audit, name: 'audit log', rows: auditRows },
    { ...audit, name: 'audit log, one action', filter: { action: 'session.ended' }, rows: auditRows / 2 },
    of('/v1/api/sessions', 'sessions'),
    of('/v1/api/sessions', 'sessions in one state', { state: 'ended' }),
    of(`/v1/orgs/${first.orgId}/reviews`, 'reviews', {}, { cookie: cookies.first }),
    of(`${session}/evidence`, 'evidence of one session'),
    of(`${session}/events`, 'observed in one session'),
  ]
}

interface Page {
  readonly items: readonly unknown[]
  readonly total: number
  readonly nextCursor: string | null
}

const pageOf = async (server: BenchServer, { path, filter, headers }: Listed, at: Record<string, string>) => {
  const url = `${server.url}${path}?${new URLSearchParams({ limit: String(pageLimit), ...filter, ...at }).toString()}`
  const began = performance.now()
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  const ms = performance.now() - began
  if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${text.slice(0, 200)}`)
  return { ms, page: (JSON.parse(text) as { data: Page }).data }
}

const ms = (n: number): string => (n >= 100 ? Math.round(n).toLocaleString('en') : n.toPrecision(3))

/** The last page of each list against its first, by cursor and by offset, in turn; a line of a table for each. */
export const lookAtLists = async (filled: Filled, looks: number): Promise<void> => {
  const { server } = filled
  console.log('| list | rows | first page, p50 / p95 ms | last by cursor | ratio | last by offset | ratio |')
  console.log('|---|---|---|---|---|---|---|')
  for (const list of listsOf(filled)) {
    const rows = list.rows ?? (await pageOf(server, list, {})).page.total
    const offset = String(Math.max(0, rows - pageLimit))
    const { page } = await pageOf(server, list, { offset: String(Math.max(0, rows - 2 * pageLimit)) })
    if (page.nextCursor === null) throw new Error(`${list.name}: no page is the last but one`)
    const places = { first: {}, cursor: { cursor: page.nextCursor }, offset: { offset } }
    const times = { first: [] as number[], cursor: [] as number[], offset: [] as number[] }
    const began = performance.now()
    for (let n = 0; n < looks && performance.now() - began < mostSecondsOfPlace * 1000; n += 1)
      for (const place of ['first', 'cursor', 'offset'] as const) {
        const looked = await pageOf(server, list, places[place])
        if (looked.page.items.length === 0) throw new Error(`${list.name}: its page by ${place} is empty`)
        times[place].push(looked.ms)
      }
    const both = (of: readonly number[]) => `${ms(median(of))} / ${ms(p95(of))}`
    const ratio = (of: readonly number[]) => (median(of) / median(times.first)).toFixed(2)
    const { first, cursor, offset: far } = times
    console.log(
      `| ${list.name} | ${Math.round(rows).toLocaleString('en')} | ${both(first)} | ${both(cursor)} | ${ratio(cursor)} | ${both(far)} | ${ratio(far)} |`,
    )
  }
}
