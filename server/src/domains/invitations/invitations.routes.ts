import type { EndpointMap } from '@integrity/protocol'
import { type HandlerMap, prepared } from '../../kernel/handler.ts'
import { linkUrl } from '../links/links.service.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { answerCalendar } from '../scheduling/appointments.calendar.ts'
import { readAppointment } from '../scheduling/appointments.service.ts'
import { declineInvitation, recordContact, sendContact, sendReason } from './answers.service.ts'
import { calendarWordsOf } from './candidate.messages.ts'
import { inspectInvitation, readHeld, readReadiness, takeTicket } from './holder.service.ts'

/** The token itself, which the service keeps nowhere: it came with the request. */
const presented = (authorization: string | undefined): string => authorization?.replace(/^Bearer +/i, '') ?? ''

export const invitationsRoutes = {
  'invitations.inspect': {
    write: async ({ app, tx, scope, actor, input: { body } }) => inspectInvitation(app, tx, scope, actor, body.locale),
  },
  'invitations.calendar': {
    serve: async ({ app, scope, actor, headers }, koa) => {
      const { reader } = app.db
      const { invitation, session } = await readHeld(reader, scope, actor)
      const appointment = await readAppointment(reader, scope, session)
      const orgName = (await getOrg(reader, scope.orgId)).name
      const url = linkUrl(app, { kind: 'invitation', sessionId: session.id }, presented(headers.authorization))
      const schedule = appointment.schedule ?? appointment.cancelled
      const words = calendarWordsOf(invitation.locale, { orgName, schedule, url })
      answerCalendar(app, koa, { sessionId: session.id, orgName, appointment }, { ...words, url })
    },
  },
  'invitations.ticket': {
    write: async ({ app, tx, scope, actor }) => takeTicket(app, tx, scope, actor),
  },
  'invitations.readiness': {
    read: async ({ app, scope, actor }) => readReadiness(app.db.reader, scope, actor),
  },
  'invitations.decline': prepared<EndpointMap['invitations.decline'], boolean>({
    prepare: ({ app, scope, actor, input: { body } }) => sendReason(app, scope, actor, body.reason),
    write: async ({ app, tx, scope, actor }, told) => declineInvitation(app, tx, scope, actor, told),
  }),
  'invitations.contact': prepared<EndpointMap['invitations.contact'], void>({
    prepare: ({ app, scope, actor, input: { body } }) => sendContact(app, scope, actor, body),
    write: async ({ app, tx, scope, actor, input: { body } }) => recordContact(app, tx, scope, actor, body.topic),
  }),
} satisfies Partial<HandlerMap>
