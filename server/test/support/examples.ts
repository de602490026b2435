import { type EndpointId, type EndpointSpec, endpoint } from '@integrity/protocol'
import { portalCookie } from './portal.ts'
import type { RawRequest } from './send.ts'
import {
  anEvent,
  aSegment,
  beginFor,
  clipFor,
  liveSession,
  newFilm,
  newPicture,
  newSound,
  nowIso,
  openUpload,
  registration,
  scheduleSession,
  sha256,
  soundFor,
  stillFor,
  type World,
} from './world.ts'

/** What a valid request needs besides its method and path; `json` becomes the payload. */
export interface Example extends RawRequest {
  readonly json?: Readonly<Record<string, unknown>>
}
/** Makes a request that succeeds, with state of its own where the call uses it up. */
type MakeExample = (world: World) => Example | Promise<Example>

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const byKey = (world: World) => bearer(world.key)
const byUser = (world: World) => portalCookie(world.scope.orgId, 'owner', world.scope.environment)

const ofKey: MakeExample = (world) => ({ headers: byKey(world), params: { id: world.live.id } })
const ofUser: MakeExample = (world) => ({ headers: byUser(world), params: { id: world.live.id } })
const ofWebhook: MakeExample = (world) => ({ headers: byKey(world), params: { id: world.webhookId } })
const ofScheduled: MakeExample = async (world) => {
  const session = await scheduleSession(world.server.client(world.key))
  return { headers: byKey(world), params: { id: session.id } }
}
const ofAgent = (world: World) => ({ headers: bearer(world.live.agent), params: { id: world.live.id } })
const withBytes = (world: World, bytes: Buffer, meta: Record<string, unknown>): Example => ({
  ...ofAgent(world),
  json: { ...meta, data: bytes.toString('base64') },
})
const ofUpload = (world: World, uploadId: string) => ({ headers: bearer(world.live.agent), params: { uploadId } })
const schedule = { startsAt: '2026-09-05T09:00:00+02:00', durationMinutes: 60, timeZone: 'Europe/Berlin' }
const laneUp = { lane: 'screen', displayId: 'd1', health: 'up', reason: 'frames came' }
const gapEvent = (server: World['server']) => {
  const span = { fromAt: new Date(server.clock.now() - 5000).toISOString(), toAt: nowIso(server) }
  return anEvent(server, 'lane.gap', { lane: 'screen', displayId: 'd1', reason: 'paused', ...span })
}
const newWebhook = { url: 'http://127.0.0.1:9/other', eventTypes: ['session.ended'] }

const downloadToken = async (world: World): Promise<string> => {
  const api = world.server.client(world.key)
  const { data } = await api.call('evidence.downloadUrl', { params: { id: world.screenshotId } })
  return new URL(data.url).searchParams.get('token') ?? ''
}

/** A valid request for every endpoint: one without an example does not compile. */
export const examples: { readonly [Id in EndpointId]: MakeExample } = {
  'health.live': () => ({}),
  'health.ready': () => ({}),
  'orgs.self': (world) => ({ headers: byKey(world) }),
  'orgs.me': (world) => ({ headers: byKey(world) }),
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
    return { json: { joinCode: data.joinCode, device: { platform: 'linux' } } }
  },
  'agent.sessions.register': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    return { headers: bearer(session.agent), json: await registration(world.server, session) }
  },
  'sessions.detail': ofUser,
  'agent.sessions.config': ofAgent,
  'agent.sessions.end': async (world) => {
    const session = await liveSession(world.server, world.scope, world.key)
    return { headers: bearer(session.agent), params: { id: session.id }, json: { reason: 'done' } }
  },
  'sessions.events.list': ofKey,
  'agent.events.ingest': (world) => ({
    ...ofAgent(world),
    json: { events: [anEvent(world.server), gapEvent(world.server), anEvent(world.server, 'lane.health', laneUp)] },
  }),
  'sessions.transcript': ofKey,
  'portal.transcript': ofUser,
  'agent.transcript.upsert': (world) => ({ ...ofAgent(world), json: { segments: [aSegment(1)] } }),
  'portal.timeline': ofUser,
  'portal.screenshots.list': ofUser,
  'agent.screenshots.upload': async (world) => {
    const picture = await newPicture()
    return withBytes(world, picture, stillFor(world.server, picture))
  },
  'portal.audioChunks.list': ofUser,
  'agent.audioChunks.upload': (world) => {
    const sound = newSound()
    return withBytes(world, sound, soundFor(world.server, sound))
  },
  'sessions.systemAudio.list': ofKey,
  'portal.systemAudio.list': ofUser,
  'agent.systemAudio.begin': (world) => ({ ...ofAgent(world), json: beginFor(world.server, newSound()) }),
  'portal.cameraFrames.list': ofUser,
  'agent.cameraFrames.upload': async (world) => {
    const picture = await newPicture()
    return withBytes(world, picture, stillFor(world.server, picture))
  },
  'portal.cameraClips.list': ofUser,
  'agent.cameraClips.upload': (world) => {
    const film = newFilm()
    return withBytes(world, film, clipFor(world.server, film))
  },
  'sessions.evidence.list': ofKey,
  'evidence.get': (world) => ({ headers: byKey(world), params: { id: world.screenshotId } }),
  'evidence.downloadUrl': (world) => ({ headers: byKey(world), params: { id: world.screenshotId }, json: {} }),
  'evidence.content': async (world) => ({
    params: { id: world.screenshotId },
    query: { token: await downloadToken(world) },
  }),
  'portal.evidence.list': ofUser,
  'portal.evidence.get': (world) => ({ headers: byUser(world), params: { id: world.screenshotId } }),
  'portal.evidence.content': (world) => ({ headers: byUser(world), params: { id: world.screenshotId } }),
  'agent.uploads.begin': (world) => ({ ...ofAgent(world), json: beginFor(world.server, newSound()) }),
  'agent.uploads.part': async (world) => {
    const bytes = newSound()
    const uploadId = await openUpload(world.server, world.live, bytes, false)
    return { ...ofUpload(world, uploadId), json: { index: 0, sha256: sha256(bytes), data: bytes.toString('base64') } }
  },
  'agent.uploads.status': async (world) => ofUpload(world, await openUpload(world.server, world.live)),
  'agent.uploads.complete': async (world) => ({
    ...ofUpload(world, await openUpload(world.server, world.live)),
    json: {},
  }),
  'agent.uploads.abort': async (world) => ({
    ...ofUpload(world, await openUpload(world.server, world.live)),
    json: {},
  }),
  'sessions.report': ofKey,
  'sessions.reviewStatus': ofKey,
  'webhooks.list': (world) => ({ headers: byKey(world) }),
  'webhooks.create': async (world) => {
    // An organisation may have a limited number of them.
    const api = world.server.client(world.key)
    const { data } = await api.call('webhooks.list', { query: { limit: 100 } })
    const spare = data.items.filter(({ url }) => url === newWebhook.url)
    for (const { id } of spare) await api.call('webhooks.delete', { params: { id } })
    return { headers: byKey(world), json: newWebhook }
  },
  'webhooks.get': ofWebhook,
  'webhooks.patch': async (world) => ({ ...(await ofWebhook(world)), json: { description: 'changed' } }),
  'webhooks.delete': async (world) => {
    const body = { url: newWebhook.url, eventTypes: ['session.ended' as const] }
    const { data } = await world.server.client(world.key).call('webhooks.create', { body })
    return { headers: byKey(world), params: { id: data.id } }
  },
  'webhooks.rotateSecret': async (world) => ({ ...(await ofWebhook(world)), json: {} }),
  'webhooks.test': async (world) => ({ ...(await ofWebhook(world)), json: {} }),
  'webhooks.deliveries.list': ofWebhook,
  'webhooks.deliveries.replay': async (world) => ({
    headers: byKey(world),
    params: { id: world.webhookId, deliveryId: world.deliveryId },
    json: {},
  }),
  'events.list': (world) => ({ headers: byKey(world) }),
  'events.stream': (world) => ({ headers: byKey(world) }),
}

/** The example as it goes over the wire. */
export const makeExample = async (world: World, id: EndpointId): Promise<Example> => {
  const example = await examples[id](world)
  return example.json === undefined ? example : withJson(example, example.json)
}

export const withJson = (example: Example, json: unknown): Example => ({
  ...example,
  headers: { ...example.headers, 'content-type': 'application/json' },
  payload: JSON.stringify(json),
})

export const specOf = (id: EndpointId): EndpointSpec => endpoint(id)
