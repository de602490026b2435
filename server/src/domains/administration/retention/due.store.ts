import type { Environment } from '../../../kernel/identity/scope.ts'
import type { Stretch } from '../../../kernel/paging.ts'
import type { Slice } from '../../../platform/db/merged.ts'
import type { Reader } from '../../../platform/db/types.ts'

const dayMs = 86_400_000

/** Until when due, and the days that no session may exceed (infinite: none are set). Both environments of an organisation. */
export interface Horizon {
  readonly orgId: string
  readonly at: number
  readonly boundDays: number
}

export interface DueRow {
  readonly sessionId: string
  readonly environment: Environment
  readonly externalId: string | null
  readonly endedAt: number
  readonly dueAt: number
  /** Evidence that is not erased, and its bytes. */
  readonly objects: number
  readonly sizeBytes: number
  readonly held: 0 | 1
}

/**
 * A session is due when what its candidate was told has passed, or the organisation's bound where that is shorter. Which of the
 * two it is, `told_days` says; so both are stretches of an index. The `+` keeps the first from the index of the second.
 */
const slicesOf = ({ orgId, at, boundDays }: Horizon, after?: Stretch['after']): Slice[] => {
  const [dueAt = 0, sessionId = ''] = after ?? []
  const bound = Math.min(boundDays, 100_000)
  return [
    {
      sql: `SELECT told_until AS due_at, session_id, ended_at FROM session_windows WHERE org_id = ? AND +told_days <= ?
        AND told_until <= ? ${after ? 'AND (told_until, session_id) > (?, ?)' : ''}`,
      params: [orgId, bound, at, ...(after ? [dueAt, sessionId] : [])],
    },
    {
      sql: `SELECT ended_at + ? AS due_at, session_id, ended_at FROM session_windows WHERE org_id = ? AND told_days > ?
        AND ended_at <= ? ${after ? 'AND (ended_at, session_id) > (?, ?)' : ''}`,
      params: [
        ...[bound * dayMs, orgId, bound, at - bound * dayMs],
        ...(after ? [Number(dueAt) - bound * dayMs, sessionId] : []),
      ],
    },
  ]
}

const all = (horizon: Horizon, after?: Stretch['after']): Slice => {
  const slices = slicesOf(horizon, after)
  return { sql: slices.map(({ sql }) => sql).join(' UNION ALL '), params: slices.flatMap(({ params }) => params) }
}

const kept = (what: 'kept_objects' | 'size_bytes'): string =>
  `COALESCE((SELECT t.${what} FROM evidence_totals t WHERE t.org_id = s.org_id AND t.session_id = s.session_id), 0)`
const objects = kept('kept_objects')
const sizeBytes = kept('size_bytes')
const held = `CASE WHEN s.legal_hold = 1 OR EXISTS
  (SELECT 1 FROM retention_rules r WHERE r.org_id = s.org_id AND r.held = 1) THEN 1 ELSE 0 END`
const columns = `s.session_id AS "sessionId", s.environment, s.external_id AS "externalId", due.ended_at AS "endedAt",
  due.due_at AS "dueAt", ${objects} AS objects, ${sizeBytes} AS "sizeBytes", ${held} AS held`

/** First due first. */
export const pageOfDue = (reader: Reader, horizon: Horizon, { after, skip, take }: Stretch): Promise<DueRow[]> => {
  const { sql, params } = all(horizon, after)
  // Ordered as a whole, which merges the two as they are read; a computed column in an ordered slice would not be.
  return reader.all<DueRow>(
    `SELECT ${columns} FROM (${sql} ORDER BY due_at, session_id LIMIT ? OFFSET ?) AS due
     JOIN sessions s ON s.org_id = ? AND s.session_id = due.session_id ORDER BY due.due_at, due.session_id`,
    [...params, take, skip, horizon.orgId],
  )
}

/** The first of those that no hold keeps. */
export const listDeletable = (reader: Reader, horizon: Horizon, limit: number): Promise<DueRow[]> => {
  const { sql, params } = all(horizon)
  return reader.all<DueRow>(
    `SELECT ${columns} FROM (${sql}) AS due JOIN sessions s ON s.org_id = ? AND s.session_id = due.session_id
     WHERE ${held} = 0 ORDER BY due.due_at, due.session_id LIMIT ?`,
    [...params, horizon.orgId, limit],
  )
}

export interface Sum {
  readonly sessions: number
  readonly objects: number
  readonly sizeBytes: number
}
const nothing: Sum = { sessions: 0, objects: 0, sizeBytes: 0 }

/** What is due, and what of it a hold keeps. */
export const sumDue = async (reader: Reader, horizon: Horizon): Promise<{ free: Sum; held: Sum }> => {
  const { sql, params } = all(horizon)
  const rows = await reader.all<Sum & { held: 0 | 1 }>(
    `SELECT held, count(*) AS sessions, SUM(objects) AS objects, SUM(bytes) AS "sizeBytes"
     FROM (SELECT ${held} AS held, ${objects} AS objects, ${sizeBytes} AS bytes
       FROM (${sql}) AS due JOIN sessions s ON s.org_id = ? AND s.session_id = due.session_id) AS each_due GROUP BY held`,
    [...params, horizon.orgId],
  )
  const of = (wanted: 0 | 1): Sum => {
    const row = rows.find((one) => one.held === wanted)
    return row ? { sessions: row.sessions, objects: row.objects, sizeBytes: row.sizeBytes } : nothing
  }
  return { free: of(0), held: of(1) }
}
