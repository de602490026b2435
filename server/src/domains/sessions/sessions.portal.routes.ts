import type { HandlerMap } from '../../kernel/handler.ts'
import { type Environment, environments } from '../../kernel/identity/scope.ts'
import { pageView } from '../../kernel/paging.ts'
import { createJoinLink } from './joining.service.ts'
import { changeConfig } from './sessions.config.service.ts'
import { filtersOf, listSessions } from './sessions.list.service.ts'
import { meetingView } from './sessions.meeting.model.ts'
import { removeMeeting, setMeeting } from './sessions.meeting.service.ts'
import { scopeOfSession } from './sessions.read.service.ts'
import { createSession } from './sessions.service.ts'
import { sessionView } from './sessions.view.ts'

/** The same services as for API keys. A person manages both environments: each call finds out where its session is. */
export const sessionsPortalRoutes = {
  'portal.sessions.list': {
    read: async (call, { query }) => {
      const { orgId } = call.scope
      const asked: readonly Environment[] =
        query.sandbox === undefined ? environments : [query.sandbox === 'true' ? 'sandbox' : 'live']
      const { page, total } = await listSessions(call, { orgId, environments: asked }, filtersOf(query), query)
      return pageView(page, total, sessionView)
    },
  },
  'portal.sessions.create': {
    write: async (call, { body }) => {
      const { environment, ...wanted } = body
      const scope = { orgId: call.scope.orgId, environment }
      const { session, ...secret } = await createSession({ ...call, scope }, wanted)
      return { ...sessionView(session), ...secret }
    },
  },
  'portal.sessions.patch': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      return sessionView(await changeConfig({ ...call, scope }, params.id, body))
    },
  },
  'portal.sessions.meeting.set': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      return { meeting: meetingView(await setMeeting({ ...call, scope }, params.id, body)) }
    },
  },
  'portal.sessions.meeting.remove': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, call.scope.orgId, params.id)
      await removeMeeting({ ...call, scope }, params.id)
      return { id: params.id, deleted: true as const }
    },
  },
  'portal.sessions.join': {
    write: async (call, { params, body }) => createJoinLink(call, params.id, body.role),
  },
} satisfies Partial<HandlerMap>
