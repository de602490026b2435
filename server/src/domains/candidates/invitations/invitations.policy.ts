import { invitationDays, invitationGraceHours, ServiceError } from '@integrity/protocol'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { Appointment } from '../appointments/appointments.service.ts'
import type { InvitationRow } from './invitations.types.ts'

export type InvitationStatus = 'live' | 'declined' | 'revoked' | 'expired'

/** The end of the year 9999, after which an instant needs more digits than the interface knows. */
const lastInstant = Date.UTC(10_000, 0) - 1

export const statusOf = (
  row: Pick<InvitationRow, 'declinedAt' | 'revokedAt' | 'expiresAt'>,
  now: number,
): InvitationStatus => {
  if (row.declinedAt !== null) return 'declined'
  if (row.revokedAt !== null) return 'revoked'
  return now < row.expiresAt ? 'live' : 'expired'
}

/** Until when a link that is made now shall work, epoch milliseconds. */
export const linkExpiresAt = (schedule: SessionRow['schedule'], now: number): number =>
  schedule === null
    ? now + invitationDays * 86_400_000
    : Math.min(lastInstant, Date.parse(schedule.startsAt) + invitationGraceHours * 3_600_000)

const conflict = (message: string) => new ServiceError('conflict', message)

/** May anybody be invited to this session now? */
export const admitInviting = (session: SessionRow, { cancelledAt }: Appointment, now: number): void => {
  if (session.state === 'ended') throw conflict('this session has ended; nobody can be invited to it any more')
  if (session.erasedAt !== null) throw conflict('the evidence of this session was erased; nobody can be invited to it')
  if (cancelledAt !== null) throw conflict('the appointment was cancelled; set a new one first')
  if (linkExpiresAt(session.schedule, now) <= now)
    throw conflict('the appointment was more than a day ago; set a new one first')
}

/** May this invitation be sent again, beside the others of its session? */
export const admitResend = (row: InvitationRow, others: readonly InvitationRow[], now: number): void => {
  const status = statusOf(row, now)
  if (status === 'declined')
    throw conflict('the candidate has declined; send a new invitation if they have changed their mind')
  if (status === 'revoked') throw conflict('this invitation was revoked; send a new one')
  if (others.some((other) => other.id !== row.id && statusOf(other, now) === 'live'))
    throw conflict('this session has another live invitation; revoke that one first')
}
