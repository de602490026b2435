import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'

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

const mine = 'org_id = ? AND environment = ?'
const ids = (scope: Scope): string[] => [scope.orgId, scope.environment]

/** Sequences from one bound, in one direction, as many as asked for. */
interface Range {
  readonly bound: '> ?' | '<= ?' | '< ?'
  readonly from: number
  readonly take: number
  readonly skip?: number
}

const orderOf = ({ bound }: Range): string => (bound === '> ?' ? 'seq' : 'seq DESC')

/** The sequences that the filters match, by way of an index that holds all of it. */
const placesOf = (scope: Scope, { types, sessionId }: EventFilters, range: Range): Slice => {
  const { bound, from, take, skip = 0 } = range
  const ofSession = sessionId === undefined ? '' : 'AND session_id = ?'
  const slices = (types ?? [undefined]).map((type): Slice => {
    const asked = [sessionId, type].filter((value) => value !== undefined)
    const ofType = type === undefined ? '' : 'AND type = ?'
    return {
      sql: `SELECT seq FROM events WHERE ${mine} ${ofSession} ${ofType} AND seq ${bound}`,
      params: [...ids(scope), ...asked, from],
    }
  })
  return merged(slices, orderOf(range), { skip, take })
}

const readMatching = (reader: Reader, scope: Scope, filters: EventFilters, range: Range): Promise<StoredEvent[]> => {
  const { sql, params } = placesOf(scope, filters, range)
  return reader.all<StoredEvent>(
    `SELECT ${columns} FROM events WHERE ${mine} AND seq IN (${sql}) ORDER BY ${orderOf(range)}`,
    [...ids(scope), ...params],
  )
}

/** What the filters match, newest first, from below sequence `after`. */
export const pageOfMatching = (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  { after, skip, take }: Stretch,
): Promise<StoredEvent[]> =>
  readMatching(reader, scope, filters, {
    bound: '< ?',
    from: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER),
    take,
    skip,
  })

/** The whole log in the same way: sequences are dense from the oldest that is kept, so the offset is a subtraction. */
export const pageOfAll = (
  reader: Reader,
  scope: Scope,
  last: number,
  { after, skip, take }: Stretch,
): Promise<StoredEvent[]> =>
  reader.all<StoredEvent>(`SELECT ${columns} FROM events WHERE ${mine} AND seq < ? ORDER BY seq DESC LIMIT ?`, [
    ...ids(scope),
    Number(after?.[0] ?? last + 1) - skip,
    take,
  ])

/** A kept count. */
export const countMatching = async (reader: Reader, scope: Scope, { types, sessionId }: EventFilters) => {
  const ofTypes = types ? `AND type IN (${types.map(() => '?').join(', ')})` : ''
  const row = await reader.get<{ n: number | null }>(
    `SELECT sum(n) AS n FROM event_counts WHERE ${mine} AND session_id = ? ${ofTypes}`,
    [...ids(scope), sessionId ?? '', ...(types ?? [])],
  )
  return row?.n ?? 0
}

/** What the filters match after a sequence, oldest first. */
export const matchingAfter = (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  after: number,
  limit: number,
): Promise<StoredEvent[]> => readMatching(reader, scope, filters, { bound: '> ?', from: after, take: limit })

/** The newest `limit` that the filters match, after `after` and up to `last`: their number and the oldest of them. */
export const newestMatching = async (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  args: { after: number; last: number; limit: number },
): Promise<{ count: number; oldest: string | null }> => {
  const { sql, params } = placesOf(scope, filters, { bound: '<= ?', from: args.last, take: args.limit })
  const rows = await reader.all<{ id: string }>(
    `SELECT event_id AS id FROM events WHERE ${mine} AND seq IN (${sql}) AND seq > ?
     ORDER BY seq DESC`,
    [...ids(scope), ...params, args.after],
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
