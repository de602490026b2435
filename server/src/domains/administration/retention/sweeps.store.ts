import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface SweepRow {
  readonly id: string
  readonly state: 'completed' | 'more'
  readonly startedAt: number
  readonly updatedAt: number
  readonly completedAt: number | null
  readonly calls: number
  readonly erasedSessions: number
  readonly erasedObjects: number
  readonly erasedBytes: number
  readonly heldSessions: number
  readonly remaining: number
  readonly note: string | null
}

/** A sweep goes over both environments: its organisation is the whole scope. */
export const findLatestSweep = (reader: Reader, orgId: string): Promise<SweepRow | undefined> =>
  reader.get<SweepRow>(
    `SELECT sweep_id AS id, state, started_at AS "startedAt", updated_at AS "updatedAt", completed_at AS "completedAt",
       calls, erased_sessions AS "erasedSessions", erased_objects AS "erasedObjects", erased_bytes AS "erasedBytes",
       held_sessions AS "heldSessions", remaining, note
     FROM retention_sweeps WHERE org_id = ? ORDER BY started_at DESC, sweep_id DESC LIMIT 1`,
    [orgId],
  )

/** The sweep as it stands after a call. Call with the rules locked. */
export const saveSweep = async (tx: Tx, orgId: string, sweep: SweepRow): Promise<void> => {
  await tx.run(
    `INSERT INTO retention_sweeps (org_id, sweep_id, state, started_at, updated_at, completed_at, calls, erased_sessions,
       erased_objects, erased_bytes, held_sessions, remaining, note)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, sweep_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at,
       completed_at = excluded.completed_at, calls = excluded.calls, erased_sessions = excluded.erased_sessions,
       erased_objects = excluded.erased_objects, erased_bytes = excluded.erased_bytes,
       held_sessions = excluded.held_sessions, remaining = excluded.remaining, note = excluded.note`,
    [
      ...[orgId, sweep.id, sweep.state, sweep.startedAt, sweep.updatedAt, sweep.completedAt, sweep.calls],
      ...[sweep.erasedSessions, sweep.erasedObjects, sweep.erasedBytes, sweep.heldSessions, sweep.remaining],
      sweep.note,
    ],
  )
}
