import type { BodyInputOf, EndpointMap, ResultOf } from '@integrity/protocol'
import type { endpointTable } from '../generated/invitation-endpoints.ts'
import type { LinkCall } from './link-call.ts'

export type InvitationCall = LinkCall<keyof typeof endpointTable>

/** What the service says of an invitation. */
export type InvitationFacts = ResultOf<EndpointMap['invitations.inspect']>
export type Appointment = NonNullable<InvitationFacts['appointment']>
export type Build = InvitationFacts['downloads'][number]
export type Ticket = ResultOf<EndpointMap['invitations.ticket']>
export type ReadinessStep = ResultOf<EndpointMap['invitations.readiness']>['steps'][number]
export type Declaring = ResultOf<EndpointMap['candidateRequests.declared']>
export type WantedAid = BodyInputOf<EndpointMap['candidateRequests.aids']>['aids'][number]
export type AidName = WantedAid['aid']
export type ContactTopic = BodyInputOf<EndpointMap['invitations.contact']>['topic']

/** Whether the interview can still be joined. */
export const isOpen = ({ session, cancelledAt, appointment }: InvitationFacts): boolean =>
  session.state !== 'ended' && !isCancelled({ cancelledAt, appointment })

/** So long before the appointment the application can be opened. */
const openBeforeMs = 15 * 60_000

/**
 * From when on a code can be taken here, epoch milliseconds; undefined for at once: there is no appointment, or the
 * interview has begun.
 */
export const opensAt = ({
  appointment,
  session,
}: Pick<InvitationFacts, 'appointment' | 'session'>): number | undefined =>
  appointment === null || session.state !== 'scheduled' ? undefined : Date.parse(appointment.startsAt) - openBeforeMs

/** Whether the appointment is cancelled; a new time after a cancellation counts as an appointment again. */
export const isCancelled = ({
  cancelledAt,
  appointment,
}: Pick<InvitationFacts, 'cancelledAt' | 'appointment'>): boolean => cancelledAt !== null && appointment === null
