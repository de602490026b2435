import { agentLanes, consentLocaleFor } from '@integrity/protocol'
import { type HandlerMap, Reply } from '../../kernel/handler.ts'
import { pageView } from '../../kernel/paging.ts'
import { isoOrNull } from '../../kernel/time.ts'
import { consentDocument } from './consent.model.ts'
import { declineConsent } from './declining.service.ts'
import { admitClaim, createJoinLink, createRoomDevice, redeemJoinCode } from './joining.service.ts'
import { registerAgent } from './registration.service.ts'
import { changeConfig } from './sessions.config.service.ts'
import { filtersOf, listSessions } from './sessions.list.service.ts'
import { getSession, getShownSession } from './sessions.read.service.ts'
import { createSession, endSession, eraseSession } from './sessions.service.ts'
import { meetingOf, sessionDetailView, sessionView } from './sessions.view.ts'
import { shownOrg } from './shown-org.service.ts'
import { toldConfig } from './window.service.ts'

export const sessionsRoutes = {
  'sessions.list': {
    read: async (call, { query }) => {
      const { sandbox } = query
      // A key sees its own environment only; asking for the other one is an empty list, not an error.
      const { orgId, environment } = call.scope
      const other = sandbox !== undefined && (sandbox === 'true') !== (environment === 'sandbox')
      if (other) return { items: [], total: 0, limit: query.limit, offset: query.offset, nextCursor: null }
      const { page, total } = await listSessions(call, { orgId, environments: [environment] }, filtersOf(query), query)
      return pageView(page, total, sessionView)
    },
  },
  'sessions.create': {
    write: async (call, input) => {
      const { session, agentJoinToken, agentJoinTokenExpiresAt } = await createSession(call, input.body)
      return { ...sessionView(session), agentJoinToken, agentJoinTokenExpiresAt }
    },
  },
  'sessions.get': {
    read: async (call, input) => sessionView(await getShownSession(call, input.params.id)),
  },
  'sessions.patch': {
    write: async (call, input) => sessionView(await changeConfig(call, input.params.id, input.body)),
  },
  'sessions.end': {
    write: async (call, input) => sessionView(await endSession(call, input.params.id, input.body)),
  },
  'sessions.erase': {
    write: async (call, input) => eraseSession(call, input.params.id),
  },
  'sessions.joinLinks.create': {
    write: async (call, input) => createJoinLink(call, input.params.id, input.body.role),
  },
  'sessions.roomDevices.create': {
    write: async (call, input) => createRoomDevice(call, input.params.id, input.body.label),
  },
  'agent.sessions.join': {
    prepare: (call, input) => admitClaim(call, input.body.joinCode, 'candidate'),
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
    read: async (call, input) => {
      const session = await getSession(call, input.params.id)
      // The state is part of the tag, so that an agent that only polls learns that the session has ended; so is the
      // language that the document is in, and who asks.
      const locale = consentLocaleFor(input.query.locale)
      const config = await toldConfig(call, session)
      const shorter = config.retentionDays === session.config.retentionDays ? '' : `-${config.retentionDays}d`
      const { org, tag } = await shownOrg(call)
      const etag = `"${session.policyVersion}${shorter}${session.state === 'ended' ? '-ended' : ''}${locale === 'en' ? '' : `-${locale}`}${tag}"`
      const { policyVersion, state } = session
      const meeting = meetingOf(session)
      const serverTime = isoOrNull(call.clock.now()) as string
      const document = consentDocument(config, agentLanes, locale)
      const data = { policyVersion, state, config, meeting, consentDocument: document, org, serverTime }
      return new Reply(data, { etag })
    },
  },
  'agent.sessions.end': {
    write: async (call, input) => sessionDetailView(await endSession(call, input.params.id, input.body)),
  },
} satisfies Partial<HandlerMap>
