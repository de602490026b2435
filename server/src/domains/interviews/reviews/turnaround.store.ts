import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader } from '../../../platform/db/types.ts'

interface Span {
  readonly from: number
  readonly until: number
}

const completed = 'FROM reviews WHERE org_id = ? AND environment = ? AND completed_at >= ? AND completed_at < ?'
const paramsOf = ({ orgId, environment }: Scope, { from, until }: Span) => [orgId, environment, from, until]

export const countCompleted = async (reader: Reader, scope: Scope, span: Span): Promise<number> =>
  (await reader.get<{ n: number }>(`SELECT count(*) AS n ${completed}`, paramsOf(scope, span)))?.n ?? 0

/** How long the review took that stands at a place when those of the time are put in order, shortest first, from 0. */
export const findTurnaround = async (
  reader: Reader,
  scope: Scope,
  span: Span,
  place: number,
): Promise<number | null> => {
  const sql = `SELECT completed_at - opened_at AS took ${completed} ORDER BY completed_at - opened_at LIMIT 1 OFFSET ?`
  return (await reader.get<{ took: number }>(sql, [...paramsOf(scope, span), place]))?.took ?? null
}

export const findFirstCompletedAt = async (reader: Reader, { orgId, environment }: Scope): Promise<number | null> => {
  const sql =
    'SELECT min(completed_at) AS at FROM reviews WHERE org_id = ? AND environment = ? AND completed_at IS NOT NULL'
  return (await reader.get<{ at: number | null }>(sql, [orgId, environment]))?.at ?? null
}
