import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../../kernel/handler.ts'
import { calendarFile } from '../appointments/appointments.calendar.view.ts'
import { declineInvitation, sendReason } from './answers.service.ts'
import { inspectInvitation, readCalendar, readReadiness, takeTicket } from './holder.service.ts'

export const invitationsRoutes = {
  'invitations.inspect': {
    write: async (call, { body }) => inspectInvitation(call, body.locale),
  },
  'invitations.calendar': {
    content: async (call) => {
      const { of, words } = await readCalendar(call, call.linkToken ?? '')
      return calendarFile(call, of, words)
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
} satisfies Partial<HandlerMap>
