import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../kernel/handler.ts'
import { calendarFile } from '../appointments/appointments.calendar.view.ts'
import { readAppointment } from '../appointments/appointments.service.ts'
import { linkUrl } from '../links/links.service.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { declineInvitation, recordContact, sendContact, sendReason } from './answers.service.ts'
import { calendarWordsOf } from './candidate.messages.ts'
import { inspectInvitation, readHeld, readReadiness, takeTicket } from './holder.service.ts'

export const invitationsRoutes = {
  'invitations.inspect': {
    write: async (call, { body }) => inspectInvitation(call, body.locale),
  },
  'invitations.calendar': {
    content: async (call) => {
      const { reader } = call.db
      const { invitation, session } = await readHeld({ ...call, reader })
      const appointment = await readAppointment({ ...call, reader }, session)
      const orgName = (await getOrg({ reader }, call.scope.orgId)).name
      const url = linkUrl(call, { kind: 'invitation', sessionId: session.id }, call.linkToken ?? '')
      const schedule = appointment.schedule ?? appointment.cancelled
      const words = calendarWordsOf(invitation.locale, { orgName, schedule, url })
      return calendarFile(call, { sessionId: session.id, orgName, appointment }, { ...words, url })
    },
  },
  'invitations.ticket': {
    write: async (call) => takeTicket(call),
  },
  'invitations.readiness': {
    read: async (call) => readReadiness(call),
  },
  'invitations.decline': prepared<EndpointMap['invitations.decline'], boolean>({
    prepare: (call, { body }) => sendReason(call, body.reason),
    write: async (call, _, told) => declineInvitation(call, told),
  }),
  'invitations.contact': prepared<EndpointMap['invitations.contact'], void>({
    prepare: (call, { body }) => sendContact(call, body),
    write: async (call, { body }) => recordContact(call, body.topic),
  }),
} satisfies Partial<HandlerMap>
