import type { Param, Reader } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'

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

const whereOf = (scope: Scope, filters: EventFilters): { where: string; params: Param[] } => {
  const parts = ['org_id = ?', 'environment = ?']
  const params: Param[] = [scope.orgId, scope.environment]
  if (filters.types) {
    parts.push(`type IN (${filters.types.map(() => '?').join(', ')})`)
    params.push(...filters.types)
  }
  if (filters.sessionId !== undefined) {
    parts.push('session_id = ?')
    params.push(filters.sessionId)
  }
  return { where: parts.join(' AND '), params }
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
  const { where, params } = whereOf(scope, filters)
  return reader.all<StoredEvent>(
    `SELECT ${columns} FROM events WHERE ${where} AND seq <= ? ORDER BY seq DESC LIMIT ? OFFSET ?`,
    [...params, page.last, page.limit, page.offset],
  )
}

export const countMatching = async (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  last: number,
): Promise<number> => {
  const { where, params } = whereOf(scope, filters)
  const sql = `SELECT count(*) AS n FROM events WHERE ${where} AND seq <= ?`
  return (await reader.get<{ n: number }>(sql, [...params, last]))?.n ?? 0
}

/** What the filters match after a sequence, oldest first. */
export const matchingAfter = (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  after: number,
  limit: number,
): Promise<StoredEvent[]> => {
  const { where, params } = whereOf(scope, filters)
  return reader.all<StoredEvent>(`SELECT ${columns} FROM events WHERE ${where} AND seq > ? ORDER BY seq LIMIT ?`, [
    ...params,
    after,
    limit,
  ])
}

/** The newest `limit` that the filters match: their number and the oldest of them. */
export const newestMatching = async (
  reader: Reader,
  scope: Scope,
  filters: EventFilters,
  args: { after: number; last: number; limit: number },
): Promise<{ count: number; oldest: string | null }> => {
  const { where, params } = whereOf(scope, filters)
  const rows = await reader.all<{ id: string }>(
    `SELECT event_id AS id FROM events WHERE ${where} AND seq > ? AND seq <= ? ORDER BY seq DESC LIMIT ?`,
    [...params, args.after, args.last, args.limit],
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
