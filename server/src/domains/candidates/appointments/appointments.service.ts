import type { Reads, Writes } from '../../../kernel/call.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { findAppointment, raiseSequence, recordChange } from './appointments.store.ts'

type Schedule = NonNullable<SessionRow['schedule']>

/** The state of a session's appointment. */
export interface Appointment {
  /** What holds; null before one was set, and after it was cancelled. */
  readonly schedule: Schedule | null
  /** Epoch milliseconds; null unless it is cancelled. */
  readonly cancelledAt: number | null
  /** What was cancelled, so that calendars can be told. */
  readonly cancelled: Schedule | null
  /** Counts the changes since the session was made. */
  readonly sequence: number
  readonly changedAt: number
}

export const readAppointment = async (call: Reads, session: SessionRow): Promise<Appointment> => {
  const row = await findAppointment(call.reader, call.scope, session.id)
  // Outside a transaction the two reads may see different moments: the session is the truth.
  const ended = session.schedule === null ? row : undefined
  return {
    schedule: session.schedule,
    cancelledAt: ended?.cancelledAt ?? null,
    cancelled: ended?.cancelledSchedule == null ? null : (JSON.parse(ended.cancelledSchedule) as Schedule),
    sequence: row?.sequence ?? 0,
    changedAt: row?.changedAt ?? session.createdAt,
  }
}

/**
 * That the appointment is taken out of a calendar, whatever becomes of it. @returns the number of that change: whoever is
 * invited after it gets a higher one, since a calendar passes over what it has heard of already
 */
export const recordWithdrawal = async (
  { tx, scope }: Writes,
  { sessionId, now }: { readonly sessionId: string; readonly now: number },
): Promise<number> => (await raiseSequence(tx, scope, sessionId, { by: 2, now })) - 1

/** That an appointment was set, moved or cancelled: calendars count the changes. `now`: epoch milliseconds. */
export const recordAppointmentChange = (
  { tx, scope }: Writes,
  { sessionId, change }: { readonly sessionId: string; readonly change: Parameters<typeof recordChange>[3] },
): Promise<void> => recordChange(tx, scope, sessionId, change)
