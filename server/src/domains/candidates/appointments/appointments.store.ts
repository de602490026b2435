import type { Scope } from '../../../kernel/identity/scope.ts'
import type { Reader, Tx } from '../../../platform/db/types.ts'

export interface AppointmentRow {
  /** Grows with every change, as iCalendar wants it. */
  readonly sequence: number
  readonly changedAt: number
  readonly cancelledAt: number | null
  /** JSON of the schedule that was cancelled. */
  readonly cancelledSchedule: string | null
}

/** Absent until an appointment was set, moved or cancelled after the session was made. */
export const findAppointment = (reader: Reader, scope: Scope, sessionId: string): Promise<AppointmentRow | undefined> =>
  reader.get<AppointmentRow>(
    `SELECT sequence, changed_at AS "changedAt", cancelled_at AS "cancelledAt", cancelled_schedule AS "cancelledSchedule"
     FROM appointments WHERE org_id = ? AND environment = ? AND session_id = ?`,
    [scope.orgId, scope.environment, sessionId],
  )

/** One change more of a locked session's appointment; without `cancelledSchedule` it holds again. */
export const recordChange = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  change: { readonly now: number; readonly cancelledSchedule?: string },
): Promise<void> => {
  const { now, cancelledSchedule = null } = change
  const cancelledAt = cancelledSchedule === null ? null : now
  await tx.run(
    `INSERT INTO appointments (org_id, session_id, environment, sequence, changed_at, cancelled_at, cancelled_schedule)
     VALUES (?, ?, ?, 1, ?, ?, ?)
     ON CONFLICT (org_id, session_id) DO UPDATE SET sequence = appointments.sequence + 1,
       changed_at = excluded.changed_at, cancelled_at = excluded.cancelled_at,
       cancelled_schedule = excluded.cancelled_schedule`,
    [scope.orgId, sessionId, scope.environment, now, cancelledAt, cancelledSchedule],
  )
}

/** Raises the appointment's sequence number and gives the new one. */
export const raiseSequence = async (
  tx: Tx,
  scope: Scope,
  sessionId: string,
  { by, now }: { readonly by: number; readonly now: number },
): Promise<number> => {
  const row = await tx.get<{ sequence: number }>(
    `INSERT INTO appointments (org_id, session_id, environment, sequence, changed_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (org_id, session_id) DO UPDATE SET sequence = appointments.sequence + excluded.sequence,
       changed_at = excluded.changed_at RETURNING sequence`,
    [scope.orgId, sessionId, scope.environment, by, now],
  )
  return row?.sequence ?? by
}
