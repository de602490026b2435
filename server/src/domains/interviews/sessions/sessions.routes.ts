import { type HandlerMap, Reply } from '../../../kernel/handler.ts'
import { pageView } from '../../../kernel/paging.ts'
import { declineConsent } from './consent/declining.service.ts'
import { readTold } from './consent/told.service.ts'
import { admitClaim, createJoinLink, createRoomDevice, redeemJoinCode } from './joining/joining.service.ts'
import { registerAgent } from './joining/registration.service.ts'
import { listSessions } from './lists/sessions.list.service.ts'
import { changeConfig } from './sessions.config.service.ts'
import { getSession, getShownSession } from './sessions.read.service.ts'
import { createSession, endSession, eraseSession } from './sessions.service.ts'
import { sessionDetailView, sessionView, toldView } from './sessions.view.ts'

export const sessionsRoutes = {
  'sessions.list': {
    read: async (call, { query }) => {
      const { page, total } = await listSessions(call, { among: [call.scope.environment], query })
      return pageView(page, total, sessionView)
    },
  },
  'sessions.create': {
    write: async (call, input) => {
      const { session, agentJoinToken, agentJoinTokenExpiresAt } = await createSession(call, { input: input.body })
      return { ...sessionView(session), agentJoinToken, agentJoinTokenExpiresAt }
    },
  },
  'sessions.get': {
    read: async (call, input) => sessionView(await getShownSession(call, input.params.id)),
  },
  'sessions.patch': {
    write: async (call, input) =>
      sessionView(await changeConfig(call, { sessionId: input.params.id, patch: input.body })),
  },
  'sessions.end': {
    write: async (call, input) =>
      sessionView(await endSession(call, { sessionId: input.params.id, input: input.body })),
  },
  'sessions.erase': {
    write: async (call, input) => eraseSession(call, input.params.id),
  },
  'sessions.joinLinks.create': {
    write: async (call, input) => createJoinLink(call, { sessionId: input.params.id, role: input.body.role }),
  },
  'sessions.roomDevices.create': {
    write: async (call, input) => createRoomDevice(call, { sessionId: input.params.id, label: input.body.label }),
  },
  'agent.sessions.join': {
    prepare: (call, input) => admitClaim(call, { typed: input.body.joinCode, role: 'candidate' }),
    write: async (call, input) => redeemJoinCode(call, input.body),
  },
  'agent.sessions.register': {
    write: async (call, input) => sessionDetailView(await registerAgent(call, input.body)),
  },
  'agent.sessions.decline': {
    write: async (call, input) => sessionDetailView(await declineConsent(call, input.body)),
  },
  'sessions.detail': {
    read: async (call, input) => sessionDetailView(await getSession(call, input.params.id)),
  },
  'agent.sessions.config': {
    read: async (call, { params, query }) => {
      const { etag, ...told } = await readTold(call, { sessionId: params.id, locale: query.locale })
      return new Reply(toldView(told, call.clock.now()), { etag })
    },
  },
  'agent.sessions.end': {
    write: async (call, input) =>
      sessionDetailView(await endSession(call, { sessionId: input.params.id, input: input.body })),
  },
} satisfies Partial<HandlerMap>
