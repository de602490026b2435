import type { HandlerMap } from '../../../kernel/handler.ts'
import { scopeOfSession } from '../../interviews/sessions/sessions.read.service.ts'
import { calendarFile } from '../appointments/appointments.calendar.view.ts'
import { previewInvitation, typedLetter } from '../invitations/invitations.preview.service.ts'
import { createInvitation, resendInvitation, revokeInvitation } from '../invitations/invitations.service.ts'
import { invitationView } from '../invitations/invitations.view.ts'
import { cancelSchedule, readCalendar, readScheduled, setSchedule } from './scheduling.service.ts'
import { schedulingView } from './scheduling.view.ts'

/** A person manages both environments: each call finds out where its session is. */
export const schedulingRoutes = {
  'portal.scheduling.get': {
    read: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return schedulingView(await readScheduled({ ...call, scope }, params.id), call.clock.now())
    },
  },
  'portal.scheduling.set': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      await setSchedule({ ...call, scope }, { sessionId: params.id, input: body })
      return schedulingView(await readScheduled({ ...call, scope }, params.id), call.clock.now())
    },
  },
  'portal.scheduling.cancel': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      await cancelSchedule({ ...call, scope }, params.id)
      return schedulingView(await readScheduled({ ...call, scope }, params.id), call.clock.now())
    },
  },
  'portal.scheduling.calendar': {
    content: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      const { of, words } = await readCalendar({ ...call, scope }, params.id)
      return calendarFile(call, of, words)
    },
  },
  'portal.invitations.create': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      const invitedBy = { kind: call.actor.kind, id: call.actor.id, label: call.actor.email }
      return invitationView(
        await createInvitation({ ...call, scope }, { sessionId: params.id, input: body, invitedBy }),
        call.clock.now(),
      )
    },
  },
  'portal.invitations.preview': {
    read: (call, { body }) => previewInvitation(call, body),
  },
  'portal.invitations.letter': {
    content: (call, { query }) => typedLetter(call, query),
  },
  'portal.invitations.resend': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return invitationView(await resendInvitation({ ...call, scope }, params), call.clock.now())
    },
  },
  'portal.invitations.revoke': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return invitationView(await revokeInvitation({ ...call, scope }, params), call.clock.now())
    },
  },
} satisfies Partial<HandlerMap>
