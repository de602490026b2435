import { isoOrNull } from '../../../kernel/time.ts'
import { invitationView } from '../invitations/invitations.view.ts'
import type { Scheduled } from './scheduling.service.ts'

/** The appointment with the invitations, as they are at `now` (epoch milliseconds). */
export const schedulingView = ({ session, appointment, invitations }: Scheduled, now: number) => ({
  sessionId: session.id,
  appointment: appointment.schedule,
  cancelledAt: isoOrNull(appointment.cancelledAt),
  invitations: invitations.map((row) => invitationView(row, now)),
})
