import { liveSession, registration, scheduleSession, type World } from '../world.ts'
import { bearer, byKey, byUser, type Examples, ofAgent, ofKey, ofOrg, ofScheduled, ofUser } from './example.ts'

const schedule = { startsAt: '2027-09-06T09:00:00+02:00', durationMinutes: 60, timeZone: 'Europe/Berlin' }

const meeting = { provider: 'other', url: 'https://meet.example.org/123', startsAt: '2027-09-06T09:00:00+02:00' }
const ofPortal = async (world: World) => {
  const { id } = await scheduleSession(world.server.client(world.key))
  return { headers: await byUser(world), params: { orgId: world.scope.orgId, id } }
}

export const sessionsExamples = {
  'sessions.list': (world) => ({ headers: byKey(world) }),
  'sessions.create': (world) => ({
    headers: byKey(world),
    json: {
      externalId: 'REQ-1',
      candidateLabel: 'Candidate 1',
      config: { retentionDays: 30, capture: { quality: 80 } },
      schedule,
    },
  }),
  'sessions.get': ofKey,
  'sessions.patch': async (world) => ({ ...(await ofScheduled(world)), json: { capture: { quality: 50 } } }),
  'sessions.end': async (world) => ({ ...(await ofScheduled(world)), json: { reason: 'done' } }),
  'sessions.erase': async (world) => ({ ...(await ofScheduled(world)), json: {} }),
  'sessions.joinLinks.create': async (world) => ({ ...(await ofKey(world)), json: { role: 'candidate' } }),
  'sessions.roomDevices.create': async (world) => ({ ...(await ofKey(world)), json: { label: 'Room 1' } }),
  'agent.sessions.join': async (world) => {
    const params = { id: world.live.id }
    const { data } = await world.server
      .client(world.key)
      .call('sessions.joinLinks.create', { params, body: { role: 'candidate' } })
    return { json: { joinCode: data.joinCode, device: { platform: 'linux' }, locale: 'en-GB' } }
  },
  'agent.sessions.register': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    return { headers: bearer(session.agent), json: await registration(world.server, session) }
  },
  'agent.sessions.decline': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    const { version, locale, documentHash, acceptedAt } = (await registration(world.server, session)).consent
    const json = { version, locale, documentHash, declinedAt: acceptedAt }
    return { headers: bearer(session.agent), params: { id: session.id }, json }
  },
  'sessions.detail': ofUser,
  'sessions.live': ofUser,
  'portal.live.list': ofOrg,
  'agent.sessions.config': ofAgent,
  'agent.sessions.end': async (world) => {
    const session = await liveSession(world.server, world.scope, world.key)
    return { headers: bearer(session.agent), params: { id: session.id }, json: { reason: 'done' } }
  },
  'portal.sessions.list': ofOrg,
  'portal.sessions.create': async (world) => ({
    ...(await ofOrg(world)),
    json: { environment: world.scope.environment, externalId: 'REQ-2', candidateLabel: 'Candidate 2', schedule },
  }),
  'portal.sessions.patch': async (world) => ({ ...(await ofPortal(world)), json: { capture: { quality: 50 } } }),
  'portal.sessions.meeting.set': async (world) => ({ ...(await ofPortal(world)), json: meeting }),
  'portal.sessions.meeting.remove': ofPortal,
  'portal.sessions.consentPreview': ofPortal,
  'portal.sessions.end': async (world) => ({ ...(await ofPortal(world)), json: { reason: 'done' } }),
  'portal.sessions.join': async (world) => {
    const { headers, params } = await ofPortal(world)
    return { headers, params: { id: params.id }, json: { role: 'candidate' } }
  },
} satisfies Examples
