import { arrayText } from '../../platform/db/postgres.arrays.ts'
import type { Tx } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'
import { appendEvents, type EventRow, eventColumns, eventValues, oncePerClientId } from './integrity-events.store.ts'

// The store's verbs for the batches of several sessions at once, in the SQL of Postgres. No session comes twice.

type NewRow = Omit<EventRow, 'position'>

export interface SessionRows {
  readonly sessionId: string
  readonly rows: readonly NewRow[]
  /** The session's last position. */
  readonly after: number
}

/** Appends in one statement and answers the new rows of each session. The sessions must be locked. */
export const appendEventsOfAll = async (
  tx: Tx,
  scope: Scope,
  batches: readonly SessionRows[],
): Promise<(readonly NewRow[])[]> => {
  const values = batches.flatMap(({ sessionId, rows, after }) => eventValues(scope, sessionId, rows, after))
  const inserted = await tx.insertMany('integrity_events', eventColumns, values, oncePerClientId)
  if (inserted.length === values.length) return batches.map(({ rows }) => rows)
  // Some were here already, which is rare: back, and every session for itself.
  const fresh: (readonly NewRow[])[] = []
  for (const { sessionId, rows, after } of batches) {
    await tx.run('DELETE FROM integrity_events WHERE org_id = ? AND session_id = ? AND position > ?', [
      scope.orgId,
      sessionId,
      after,
    ])
    fresh.push(await appendEvents(tx, scope, sessionId, rows, after))
  }
  return fresh
}

export const addCountsOfAll = async (
  tx: Tx,
  scope: Scope,
  counts: readonly { readonly sessionId: string; readonly kind: string; readonly n: number }[],
): Promise<void> => {
  await tx.run(
    `INSERT INTO integrity_event_counts (org_id, session_id, kind, n)
     SELECT ?::text, session_id, kind, n FROM unnest(?::text[], ?::text[], ?::bigint[]) AS added (session_id, kind, n)
     ON CONFLICT (org_id, session_id, kind) DO UPDATE SET n = integrity_event_counts.n + excluded.n`,
    [
      scope.orgId,
      arrayText(counts.map(({ sessionId }) => sessionId)),
      arrayText(counts.map(({ kind }) => kind)),
      arrayText(counts.map(({ n }) => n)),
    ],
  )
}

/** The sessions' counters of events and the time of their last contact. */
export const touchSessions = async (
  tx: Tx,
  scope: Scope,
  sessions: readonly { readonly sessionId: string; readonly eventCount: number }[],
  now: number,
): Promise<void> => {
  await tx.run(
    `UPDATE session_counters SET event_count = touched.n, last_contact_at = ?::bigint
     FROM unnest(?::text[], ?::bigint[]) AS touched (id, n) WHERE org_id = ? AND session_id = touched.id`,
    [
      now,
      arrayText(sessions.map(({ sessionId }) => sessionId)),
      arrayText(sessions.map(({ eventCount }) => eventCount)),
      scope.orgId,
    ],
  )
}
