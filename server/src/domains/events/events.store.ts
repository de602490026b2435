import type { Scope } from '../../kernel/identity/scope.ts'
import type { Param, Reader } from '../../platform/db/types.ts'

export interface StoredEvent {
  readonly seq: number
  readonly id: string
  readonly type: string
  /** JSON text, as it is sent. */
  readonly envelope: string
}

/** Absent: any. */
export interface EventFilters {
  readonly types?: readonly string[] | undefined
  readonly sessionId?: string | undefined
}

const columns = 'seq, event_id AS id, type, envelope'

/** Sequences from one bound, in one direction; `most` is how many of them a page can need. */
interface Range {
  readonly bound: '> ?' | '<= ?'
  readonly from: number
  readonly most: number
}

interface Condition {
  readonly where: string
  readonly params: readonly Param[]
}

const mine = 'org_id = ? AND environment = ?'
const ids = (scope: Scope): string[] => [scope.orgId, scope.environment]
const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/**
 * The rows that the filters match, by way of an index that holds all the inner query reads. Said in one plain WHERE,
 * SQLite walks the primary key instead: in the order that is wanted, but past every row that nobody asked for.
 */
const matching = (scope: Scope, { types, sessionId }: EventFilters, range: Range): Condition => {
  const bound = `seq ${range.bound}`
  if (sessionId !== undefined) {
    const ofTypes = types ? `AND type IN (${marks(types)})` : ''
    return {
      where: `${mine} AND seq IN (SELECT seq FROM events WHERE ${mine} AND session_id = ? AND ${bound}) ${ofTypes}`,
      params: [...ids(scope), ...ids(scope), sessionId, range.from, ...(types ?? [])],
    }
  }
  if (!types) return { where: `${mine} AND ${bound}`, params: [...ids(scope), range.from] }
  const order = range.bound === '> ?' ? 'seq' : 'seq DESC'
  const one = `SELECT seq FROM (SELECT seq FROM events WHERE ${mine} AND type = ? AND ${bound} ORDER BY ${order} LIMIT ?) AS x`
  return {
    where: `${mine} AND seq IN (${types.map(() => one).join(' UNION ALL ')})`,
    params: [...ids(scope), ...types.flatMap((type) => [...ids(scope), type, range.from, range.most])],
  }
}

/** A page of the whole log, newest first: sequences are dense, so the offset is a subtraction. */
export const pageOfAll = (
  reader: Reader,
  scope: Scope,
  page: { last: number; limit: number; offset: number },
): Promise<StoredEvent[]> =>
  reader.all<StoredEvent>(
    `SELECT ${columns} FROM events WHERE org_id = ? AND environment = ? AND seq <= ? ORDER BY seq DESC LIMIT ?`,
    [scope.orgId, scope.environment, page.last - page.offset, page.limit],
  )

/** A page of what the filters match, newest first, up to sequence `last`. */
export const pageOfMatching = (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  page: { last: number; limit: number; offset: number },
): Promise<StoredEvent[]> => {
  const most = page.limit + page.offset
  const { where, params } = matching(scope, filters, { bound: '<= ?', from: page.last, most })
  return reader.all<StoredEvent>(`SELECT ${columns} FROM events WHERE ${where} ORDER BY seq DESC LIMIT ? OFFSET ?`, [
    ...params,
    page.limit,
    page.offset,
  ])
}

export const countMatching = async (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  last: number,
): Promise<number> => {
  const { types, sessionId } = filters
  // Counting types alone is a walk over their index; there is no page to stop at.
  const { where, params }: Condition =
    types && sessionId === undefined
      ? { where: `${mine} AND type IN (${marks(types)}) AND seq <= ?`, params: [...ids(scope), ...types, last] }
      : matching(scope, filters, { bound: '<= ?', from: last, most: 0 })
  const row = await reader.get<{ n: number }>(`SELECT count(*) AS n FROM events WHERE ${where}`, params)
  return row?.n ?? 0
}

/** What the filters match after a sequence, oldest first. */
export const matchingAfter = (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  after: number,
  limit: number,
): Promise<StoredEvent[]> => {
  const { where, params } = matching(scope, filters, { bound: '> ?', from: after, most: limit })
  return reader.all<StoredEvent>(`SELECT ${columns} FROM events WHERE ${where} ORDER BY seq LIMIT ?`, [
    ...params,
    limit,
  ])
}

/** The newest `limit` that the filters match, after `after` and up to `last`: their number and the oldest of them. */
export const newestMatching = async (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  args: { after: number; last: number; limit: number },
): Promise<{ count: number; oldest: string | null }> => {
  const { where, params } = matching(scope, filters, { bound: '<= ?', from: args.last, most: args.limit })
  const rows = await reader.all<{ id: string }>(
    `SELECT event_id AS id FROM events WHERE ${where} AND seq > ? ORDER BY seq DESC LIMIT ?`,
    [...params, args.after, args.limit],
  )
  return { count: rows.length, oldest: rows.at(-1)?.id ?? null }
}

export const findSequence = async (reader: Reader, scope: Scope, eventId: string): Promise<number | undefined> => {
  const sql = 'SELECT seq FROM events WHERE org_id = ? AND environment = ? AND event_id = ?'
  return (await reader.get<{ seq: number }>(sql, [scope.orgId, scope.environment, eventId]))?.seq
}

export const findEnvelopeText = async (reader: Reader, scope: Scope, seq: number): Promise<string | undefined> => {
  const sql = 'SELECT envelope FROM events WHERE org_id = ? AND environment = ? AND seq = ?'
  return (await reader.get<{ envelope: string }>(sql, [scope.orgId, scope.environment, seq]))?.envelope
}
