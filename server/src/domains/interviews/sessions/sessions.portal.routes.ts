import { sessionConfig } from '@integrity/protocol'
import type { HandlerMap } from '../../../kernel/handler.ts'
import { environments } from '../../../kernel/identity/scope.ts'
import { pageView } from '../../../kernel/paging.ts'
import { previewConsent, previewPolicy } from './consent/policy-preview.service.ts'
import { readTold } from './consent/told.service.ts'
import { createJoinLink } from './joining/joining.service.ts'
import { listSessions } from './lists/sessions.list.service.ts'
import { changeConfig } from './sessions.config.service.ts'
import { meetingView } from './sessions.meeting.model.ts'
import { removeMeeting, setMeeting } from './sessions.meeting.service.ts'
import { scopeOfSession } from './sessions.read.service.ts'
import { createSession, endSession } from './sessions.service.ts'
import { sessionView } from './sessions.view.ts'

/** The same services as for API keys. A person manages both environments: each call finds out where its session is. */
export const sessionsPortalRoutes = {
  'portal.sessions.list': {
    read: async (call, { query }) => {
      const { page, total, totalIsExact } = await listSessions(call, { among: environments, query })
      return { ...pageView(page, total, sessionView), totalIsExact }
    },
  },
  'portal.sessions.create': {
    write: async (call, { body }) => {
      const { environment, ...wanted } = body
      const scope = { orgId: call.scope.orgId, environment }
      const { session, ...secret } = await createSession({ ...call, scope }, { input: wanted })
      return { ...sessionView(session), ...secret }
    },
  },
  'portal.sessions.patch': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return sessionView(await changeConfig({ ...call, scope }, { sessionId: params.id, patch: body }))
    },
  },
  'portal.sessions.meeting.set': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return { meeting: meetingView(await setMeeting({ ...call, scope }, { sessionId: params.id, input: body })) }
    },
  },
  'portal.sessions.meeting.remove': {
    write: async (call, { params }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      await removeMeeting({ ...call, scope }, params.id)
      return { id: params.id, deleted: true as const }
    },
  },
  'portal.sessions.consentPreview': {
    read: async (call, { params, query }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      const told = await readTold({ ...call, scope }, { sessionId: params.id, locale: query.locale })
      return told.document
    },
  },
  'portal.sessions.end': {
    write: async (call, { params, body }) => {
      const scope = await scopeOfSession(call, { orgId: call.scope.orgId, sessionId: params.id })
      return sessionView(await endSession({ ...call, scope }, { sessionId: params.id, input: body }))
    },
  },
  'portal.sessions.join': {
    write: async (call, { params, body }) => createJoinLink(call, { sessionId: params.id, role: body.role }),
  },
  'portal.policies.consentPreview': {
    read: async (call, { params, query }) =>
      previewPolicy(call, { orgId: call.scope.orgId, id: params.policyId, locale: query.locale }),
  },
  'portal.policies.consentPreview.draft': {
    read: async (call, { body }) =>
      previewConsent(call, {
        orgId: call.scope.orgId,
        config: sessionConfig.parse(body.config),
        locale: body.locale,
      }),
  },
} satisfies Partial<HandlerMap>
