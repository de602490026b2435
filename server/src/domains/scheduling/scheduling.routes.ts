import type { HandlerMap } from '../../kernel/handler.ts'
import { createInvitation, resendInvitation, revokeInvitation } from '../invitations/invitations.service.ts'
import { invitationView } from '../invitations/invitations.view.ts'
import { getOrg } from '../orgs/orgs.service.ts'
import { scopeOfSession } from '../sessions/sessions.service.ts'
import { answerCalendar } from './appointments.calendar.ts'
import { cancelSchedule, readScheduled, setSchedule } from './scheduling.service.ts'
import { schedulingView } from './scheduling.view.ts'

/** A person manages both environments: each call finds out where its session is. */
export const schedulingRoutes = {
  'portal.scheduling.get': {
    read: async ({ app, scope: { orgId }, input: { params } }) => {
      const scope = await scopeOfSession(app.db.reader, orgId, params.id)
      return schedulingView(await readScheduled(app.db.reader, scope, params.id), app.clock.now())
    },
  },
  'portal.scheduling.set': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params, body } }) => {
      const scope = await scopeOfSession(tx, orgId, params.id)
      await setSchedule(app, tx, scope, actor, params.id, body)
      return schedulingView(await readScheduled(tx, scope, params.id), app.clock.now())
    },
  },
  'portal.scheduling.cancel': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfSession(tx, orgId, params.id)
      await cancelSchedule(app, tx, scope, actor, params.id)
      return schedulingView(await readScheduled(tx, scope, params.id), app.clock.now())
    },
  },
  'portal.scheduling.calendar': {
    serve: async ({ app, scope: { orgId }, input: { params } }, koa) => {
      const { reader } = app.db
      const scope = await scopeOfSession(reader, orgId, params.id)
      const { session, appointment } = await readScheduled(reader, scope, params.id)
      const orgName = (await getOrg(reader, orgId)).name
      const who = session.candidateLabel ?? session.externalId ?? session.id
      answerCalendar(
        app,
        koa,
        { sessionId: session.id, orgName, appointment },
        { summary: `Interview: ${who}`, description: `Session ${session.id}` },
      )
    },
  },
  'portal.invitations.create': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params, body } }) => {
      const scope = await scopeOfSession(tx, orgId, params.id)
      return invitationView(await createInvitation(app, tx, scope, actor, params.id, body), app.clock.now())
    },
  },
  'portal.invitations.resend': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfSession(tx, orgId, params.id)
      return invitationView(await resendInvitation(app, tx, scope, actor, params), app.clock.now())
    },
  },
  'portal.invitations.revoke': {
    write: async ({ app, tx, scope: { orgId }, actor, input: { params } }) => {
      const scope = await scopeOfSession(tx, orgId, params.id)
      return invitationView(await revokeInvitation(app, tx, scope, actor, params), app.clock.now())
    },
  },
} satisfies Partial<HandlerMap>
