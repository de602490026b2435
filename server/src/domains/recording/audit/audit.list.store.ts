import type { Stretch } from '../../../kernel/paging.ts'
import { merged, type Slice } from '../../../platform/db/merged.ts'
import type { Param, Reader } from '../../../platform/db/types.ts'

/** Instants are epoch milliseconds. */
export interface AuditFilters {
  readonly action?: string | undefined
  /** Instead of one action. */
  readonly anyAction?: readonly string[] | undefined
  readonly sessionId?: string | undefined
  /** Of the person who acted. */
  readonly userId?: string | undefined
  /** Inclusive. */
  readonly from?: number | undefined
  /** Exclusive. */
  readonly to?: number | undefined
}

export interface ListedRow {
  readonly seq: number
  readonly at: number
  readonly actorKind: string
  readonly actorId: string
  readonly action: string
  readonly target: string
  readonly sessionId: string | null
  readonly hash: string
  /** JSON; null once erased, or if there never was one. */
  readonly payload: string | null
}

const order = 'at DESC, seq DESC'

/** The equalities of some filters, as conditions that are beside each other. */
export const equalities = ({ action, sessionId, userId }: AuditFilters): Slice => {
  const given = [
    ['action = ?', action],
    ['session_id = ?', sessionId],
    ["actor_kind IN ('user', 'account', 'refresh') AND actor_id = ?", userId],
  ].filter((pair): pair is [string, string] => pair[1] !== undefined)
  return { sql: given.map(([sql]) => ` AND ${sql}`).join(''), params: given.map(([, value]) => value) }
}

const batches = 'session.events_received'

/** Which partial indexes hold what the filters ask for: each is chosen by its very condition. */
const partsOf = ({ userId, action }: AuditFilters): string[] => {
  if (userId !== undefined) return ['']
  const parts = [` AND action = '${batches}'`, ` AND action <> '${batches}'`]
  if (action === undefined) return parts
  return parts.slice(action === batches ? 0 : 1, action === batches ? 1 : 2)
}

/** What the filters match, from below the row `after`. */
const slicesOf = (orgId: string, { anyAction, ...filters }: AuditFilters, after: Stretch['after']): Slice[] => {
  if (anyAction) return anyAction.flatMap((action) => slicesOf(orgId, { ...filters, action }, after))
  const { sql, params } = equalities(filters)
  const bounds: Param[] = []
  let range = ''
  const bound = (condition: string, ...values: (Param | undefined)[]) => {
    const given = values.filter((value) => value !== undefined)
    if (given.length > 0) range += ` AND ${condition}`
    bounds.push(...given)
  }
  bound('at >= ?', filters.from)
  // Behind a row of the list is before its end anyway: one bound is what an index can begin at.
  if (after) bound('(at, seq) < (?, ?)', ...after)
  else bound('at < ?', filters.to)
  return partsOf(filters).map((part) => ({
    sql: `SELECT at, seq FROM audit_log WHERE org_id = ?${part}${sql}${range}`,
    params: [orgId, ...params, ...bounds],
  }))
}

/** Newest first. */
export const pageOfAudit = (
  reader: Reader,
  orgId: string,
  filters: AuditFilters,
  { after, skip, take }: Stretch,
): Promise<ListedRow[]> => {
  const { sql, params } = merged(slicesOf(orgId, filters, after), order, { skip, take })
  return reader.all<ListedRow>(
    `SELECT a.seq, a.at, a.actor_kind AS "actorKind", a.actor_id AS "actorId", a.action, a.target,
       a.session_id AS "sessionId", a.hash, p.payload
     FROM audit_log a LEFT JOIN audit_payloads p ON p.org_id = a.org_id AND p.seq = a.seq
     WHERE a.org_id = ? AND a.seq IN (SELECT seq FROM (${sql}) AS places) ORDER BY a.at DESC, a.seq DESC`,
    [orgId, ...params],
  )
}

/** How many rows the filters match; so many at most as are asked for, which is no more entries of an index than a fast read has. */
export const countAudit = async (
  reader: Reader,
  orgId: string,
  filters: AuditFilters,
  atMost: number,
): Promise<number> => {
  const slices = slicesOf(orgId, filters, undefined)
  const row = await reader.get<{ counted: number }>(
    `SELECT count(*) AS counted FROM (${slices.map(({ sql }) => sql).join(' UNION ALL ')} LIMIT ?) AS places`,
    [...slices.flatMap(({ params }) => params), atMost],
  )
  return row?.counted ?? 0
}
