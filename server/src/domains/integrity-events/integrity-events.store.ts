import type { ColumnSpec, Param, Reader, Tx } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'

export interface EventRow {
  readonly id: string
  readonly clientId: string
  readonly position: number
  readonly kind: string
  readonly observedAt: number
  readonly monotonicMs: number | null
  readonly source: string
  /** JSON text. */
  readonly data: string
  readonly receivedAt: number
}

export const eventColumns: readonly ColumnSpec[] = [
  { name: 'org_id', type: 'text' },
  { name: 'session_id', type: 'text' },
  { name: 'position', type: 'bigint' },
  { name: 'event_id', type: 'text' },
  { name: 'client_id', type: 'text' },
  { name: 'kind', type: 'text' },
  { name: 'observed_at', type: 'bigint' },
  { name: 'monotonic_ms', type: 'double precision' },
  { name: 'source', type: 'text' },
  { name: 'data', type: 'text' },
  { name: 'received_at', type: 'bigint' },
]
export const oncePerClientId = {
  skipConflictsOn: ['org_id', 'client_id', 'session_id'],
  returning: ['client_id'],
} as const

/** Rows as `eventColumns` takes them, numbered from `after` + 1. */
export const eventValues = (
  scope: Scope,
  sessionId: string,
  rows: readonly Omit<EventRow, 'position'>[],
  after: number,
): Param[][] =>
  rows.map((row, index) => [
    scope.orgId,
    sessionId,
    after + index + 1,
    row.id,
    row.clientId,
    row.kind,
    row.observedAt,
    row.monotonicMs,
    row.source,
    row.data,
    row.receivedAt,
  ])

const insert = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  rows: readonly Omit<EventRow, 'position'>[],
  after: number,
) => {
  const values = eventValues(scope, sessionId, rows, after)
  const inserted = await tx.insertMany<{ client_id: string }>('integrity_events', eventColumns, values, oncePerClientId)
  return inserted.map((row) => row.client_id)
}

/**
 * Appends in one statement, skipping what is here already, and answers the rows that are new. The session must be
 * locked. Positions stay dense: when some rows were skipped, which is rare, the new ones are taken back and numbered again.
 */
export const appendEvents = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  rows: readonly Omit<EventRow, 'position'>[],
  after: number,
): Promise<readonly Omit<EventRow, 'position'>[]> => {
  const inserted = new Set(await insert(tx, scope, sessionId, rows, after))
  if (inserted.size === rows.length) return rows
  const seen = new Set<string>()
  const fresh = rows.filter((row) => inserted.has(row.clientId) && !seen.has(row.clientId) && seen.add(row.clientId))
  await tx.run('DELETE FROM integrity_events WHERE org_id = ? AND session_id = ? AND position > ?', [
    scope.orgId,
    sessionId,
    after,
  ])
  if (fresh.length > 0) await insert(tx, scope, sessionId, fresh, after)
  return fresh
}

export const addCounts = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> => {
  for (const [kind, n] of counts)
    await tx.run(
      `INSERT INTO integrity_event_counts (org_id, session_id, kind, n) VALUES (?, ?, ?, ?)
       ON CONFLICT (org_id, session_id, kind) DO UPDATE SET n = integrity_event_counts.n + excluded.n`,
      [scope.orgId, sessionId, kind, n],
    )
}

/** The session's counter of events and the time of its last contact. */
export const touchSession = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  eventCount: number,
  now: number,
): Promise<void> => {
  await tx.run('UPDATE session_counters SET event_count = ?, last_contact_at = ? WHERE org_id = ? AND session_id = ?', [
    eventCount,
    now,
    scope.orgId,
    sessionId,
  ])
}

/** In the order of receipt; the dense position replaces the offset. The caller has found the session in this scope. */
export const listEvents = (
  reader: Reader,
  scope: Scope,
  sessionId: string,
  page: { limit: number; offset: number },
): Promise<EventRow[]> =>
  reader.all<EventRow>(
    `SELECT event_id AS id, client_id AS "clientId", position, kind, observed_at AS "observedAt",
       monotonic_ms AS "monotonicMs", source, data, received_at AS "receivedAt"
     FROM integrity_events WHERE org_id = ? AND session_id = ? AND position > ? ORDER BY position LIMIT ?`,
    [scope.orgId, sessionId, page.offset, page.limit],
  )

export const eventCounts = async (reader: Reader, scope: Scope, sessionId: string): Promise<Record<string, number>> => {
  const rows = await reader.all<{ kind: string; n: number }>(
    'SELECT kind, n FROM integrity_event_counts WHERE org_id = ? AND session_id = ? ORDER BY kind',
    [scope.orgId, sessionId],
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}
