import type { HandlerMap } from '../../kernel/handler.ts'
import { calendarFile } from '../appointments/appointments.calendar.view.ts'
import { createInvitation, resendInvitation, revokeInvitation } from '../invitations/invitations.service.ts'
import { invitationView } from '../invitations/invitations.view.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { scopeOfSession } from '../sessions/sessions.read.service.ts'
import { cancelSchedule, readScheduled, setSchedule } from './scheduling.service.ts'
import { schedulingView } from './scheduling.view.ts'

/** A person manages both environments: each call finds out where its session is. */
export const schedulingRoutes = {
  'portal.scheduling.get': {
    read: async (call, { params }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      return schedulingView(await readScheduled({ ...call, scope }, params.id), call.clock.now())
    },
  },
  'portal.scheduling.set': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      await setSchedule({ ...call, scope }, params.id, body)
      return schedulingView(await readScheduled({ ...call, scope }, params.id), call.clock.now())
    },
  },
  'portal.scheduling.cancel': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      await cancelSchedule({ ...call, scope }, params.id)
      return schedulingView(await readScheduled({ ...call, scope }, params.id), call.clock.now())
    },
  },
  'portal.scheduling.calendar': {
    content: async (call, { params }) => {
      const { reader } = call.db
      const scope = await scopeOfSession({ reader }, call.scope.orgId, params.id)
      const { session, appointment } = await readScheduled({ reader, scope }, params.id)
      const orgName = (await getOrg({ reader }, call.scope.orgId)).name
      const who = session.candidateLabel ?? session.externalId ?? session.id
      return calendarFile(
        call,
        { sessionId: session.id, orgName, appointment },
        { summary: `Interview: ${who}`, description: `Session ${session.id}` },
      )
    },
  },
  'portal.invitations.create': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      const invitedBy = { kind: call.actor.kind, id: call.actor.id, label: call.actor.email }
      return invitationView(await createInvitation({ ...call, scope }, params.id, body, invitedBy), call.clock.now())
    },
  },
  'portal.invitations.resend': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      return invitationView(await resendInvitation({ ...call, scope }, params), call.clock.now())
    },
  },
  'portal.invitations.revoke': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      return invitationView(await revokeInvitation({ ...call, scope }, params), call.clock.now())
    },
  },
} satisfies Partial<HandlerMap>
