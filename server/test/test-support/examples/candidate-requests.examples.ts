import {
  freshRequest,
  invitationLink,
  invited,
  type RequestKind,
  requestLink,
  sentRequest,
  withLiveRequests,
} from '../candidate-requests.ts'
import { completeReview, reviewedSession, signOff } from '../reviews.ts'
import { scheduleSession, type World } from '../world.ts'
import { bearer, byUser, type Examples, ofOrg } from './example.ts'

const ofRequestLink = async ({ server, scope, key }: World) => {
  const { id } = await scheduleSession(server.client(key))
  return { headers: bearer(await requestLink(server, scope, id)) }
}
const ofRequest = async (world: World, kind: RequestKind) => {
  const { id } = await freshRequest(world, kind)
  return { headers: await byUser(world), params: { orgId: world.scope.orgId, requestId: id } }
}

const approvedCopy = async (world: World) => {
  const { id: requestId, token } = await freshRequest(world, 'access')
  const approve = { headers: await byUser(world), params: { orgId: world.scope.orgId, requestId } }
  await world.server.client().call('portal.candidateRequests.approve', approve)
  return { headers: bearer(token), json: { requestId } }
}

export const candidateRequestsExamples = {
  'candidateRequests.links.mail': async ({ server, scope, key }) => {
    const { id: sessionId } = await scheduleSession(server.client(key))
    await invited(server, scope, sessionId, 'candidate@example.org')
    return { json: { sessionId, email: 'Candidate@Example.org' } }
  },
  'candidateRequests.links.invitation': async ({ server, scope, key }) => {
    const { id } = await scheduleSession(server.client(key))
    return { headers: bearer(await invitationLink(server, scope, id)), json: {} }
  },
  'candidateRequests.links.agent': (world) => ({ headers: bearer(world.live.agent), json: {} }),
  'candidateRequests.view': async (world) => ({ ...(await ofRequestLink(world)), json: {} }),
  'candidateRequests.submit': async (world) => {
    const { id } = await reviewedSession(world)
    await signOff(world, id)
    return {
      headers: bearer(await requestLink(world.server, world.scope, id)),
      json: { kind: 'context_statement', text: 'My neighbour mowed his lawn.', replyTo: 'candidate@example.org' },
    }
  },
  'candidateRequests.moments': async (world) => {
    const { id } = await reviewedSession(world)
    return { headers: bearer(await requestLink(world.server, world.scope, id)), json: {} }
  },
  'candidateRequests.declared': async (world) => ({ ...(await ofRequestLink(world)), json: { locale: 'hi' } }),
  'candidateRequests.aids': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    return {
      headers: bearer(await requestLink(world.server, world.scope, session.id)),
      json: {
        aids: [
          { aid: 'notes', detail: 'one sheet' },
          { aid: 'breaks', breaks: { count: 2, minutes: 10 } },
        ],
      },
    }
  },
  'candidateRequests.export': approvedCopy,
  'candidateRequests.archive': approvedCopy,
  'candidateRequests.contents': approvedCopy,
  'candidateRequests.bundle': approvedCopy,
  'candidateRequests.reelIndex': approvedCopy,
  'candidateRequests.reels': async (world) => {
    const { headers, json } = await approvedCopy(world)
    return { headers, json: { ...json, source: 'microphone' } }
  },
  'candidateRequests.signatures': async (world) => {
    const { headers, json } = await approvedCopy(world)
    return { headers, json: { ...json, from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' } }
  },
  'portal.candidateRequests.list': async (world) => {
    await withLiveRequests(world)
    return ofOrg(world)
  },
  'portal.candidateRequests.get': (world) => ofRequest(world, 'context_statement'),
  'portal.candidateRequests.preview': (world) => ofRequest(world, 'erasure'),
  'portal.candidateRequests.acknowledge': async (world) => ({ ...(await ofRequest(world, 'access')), json: {} }),
  'portal.candidateRequests.respond': async (world) => ({
    ...(await ofRequest(world, 'access')),
    json: { text: 'We have received it.' },
  }),
  'portal.candidateRequests.approve': async (world) => ({
    ...(await ofRequest(world, 'erasure')),
    json: { text: 'It is done.' },
  }),
  'portal.candidateRequests.decline': async (world) => ({
    ...(await ofRequest(world, 'access')),
    json: { text: 'You have a copy already.' },
  }),
  'portal.candidateRequests.complete': async (world) => ({
    ...(await ofRequest(world, 'context_statement')),
    json: {},
  }),
  'portal.candidateRequests.reopenReview': async (world) => {
    const session = await reviewedSession(world)
    await completeReview(world, session)
    const { id: requestId } = await sentRequest(world.server, world.scope, session.id, 'context_statement')
    const params = { orgId: world.scope.orgId, requestId }
    return { headers: await byUser(world), params, json: { reason: 'The candidate explained it.' } }
  },
  'portal.candidateContext.get': async (world) => {
    const { sessionId } = await freshRequest(world, 'context_statement')
    return { headers: await byUser(world), params: { orgId: world.scope.orgId, sessionId } }
  },
} satisfies Examples
