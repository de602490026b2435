import { type EndpointId, type EndpointSpec, endpoint, placementSteps } from '@integrity/protocol'
import { mintApiKey } from '../../src/domains/api-keys/api-keys.service.ts'
import { beginSignIn } from '../../src/domains/auth/sign-ins.service.ts'
import { compositionIdOf } from '../../src/domains/compositions/compositions.id.ts'
import { system } from '../../src/platform/actor.ts'
import {
  freshRequest,
  invitationLink,
  invited,
  type RequestKind,
  requestLink,
  withLiveRequests,
} from './candidate-requests.ts'
import { agreeOnDevice, claimPhone, deviceAnswer, mintToken, type Phone } from './devices.ts'
import { invitationExamples } from './invitations.ts'
import { cookieHeader, portalCookie } from './portal.ts'
import { withPublished } from './releases.ts'
import type { RawRequest } from './send.ts'
import { testPassword } from './server.ts'
import {
  anEvent,
  aSegment,
  beginFor,
  clipFor,
  filmedSession,
  liveSession,
  newClientId,
  newFilm,
  newPicture,
  newSound,
  nowIso,
  openUpload,
  readyFilm,
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
const byUser = (world: World) => portalCookie(world.server, 'owner', world.scope.orgId)

const ofKey: MakeExample = (world) => ({ headers: byKey(world), params: { id: world.live.id } })
const ofUser: MakeExample = async (world) => ({ headers: await byUser(world), params: { id: world.live.id } })
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

const ofOrg = async (world: World) => ({ headers: await byUser(world), params: { orgId: world.scope.orgId } })
const ofPortalWebhook = async (world: World) => ({
  headers: await byUser(world),
  params: { orgId: world.scope.orgId, endpointId: world.webhookId },
})
const newKey = { label: 'Build machine', environment: 'sandbox', scopes: ['sessions:read'] }
/** A sign-in of its own, without the password's work: refreshing and signing out use it up. */
const freshCookies = async ({ server, scope }: World): Promise<Record<string, string>> => {
  const owner = server.orgs.find(({ orgId }) => orgId === scope.orgId)
  const { app } = server
  const tokens = await app.db.transact((tx) => beginSignIn(app, tx, owner?.userId ?? ''))
  return cookieHeader({ portal_access: tokens.access, portal_refresh: tokens.refresh })
}
const ofNewKey = async (world: World) => {
  const { app } = world.server
  const { orgId, environment } = world.scope
  const wanted = { label: 'Spare', environment, scopes: ['org:read'] } as const
  const { keyId } = await app.db.transact((tx) => mintApiKey(app, tx, orgId, system, wanted))
  return { headers: await byUser(world), params: { orgId, keyId } }
}
/** An organisation may have a limited number of keys and of endpoints: those that other examples made go first. */
const withoutSpareKeys = async ({ server, scope }: World): Promise<void> => {
  const sql = "UPDATE api_keys SET revoked_at = 0 WHERE org_id = ? AND label IN ('Build machine', 'all but one')"
  await server.app.db.transact((tx) => tx.run(sql, [scope.orgId]))
}
const withoutSpareWebhooks = async (world: World): Promise<void> => {
  const api = world.server.client(world.key)
  const { data } = await api.call('webhooks.list', { query: { limit: 100 } })
  const spare = data.items.filter(({ url }) => url === newWebhook.url)
  for (const { id } of spare) await api.call('webhooks.delete', { params: { id } })
}
const ofNewPortalWebhook = async (world: World) => {
  await withoutSpareWebhooks(world)
  const body = { url: newWebhook.url, eventTypes: ['session.ended' as const] }
  const { data } = await world.server.client(world.key).call('webhooks.create', { body })
  return { headers: await byUser(world), params: { orgId: world.scope.orgId, endpointId: data.id } }
}
const ofFilmed: MakeExample = async (world) => ({
  headers: byKey(world),
  params: { id: (await filmedSession(world)).id },
})
const ofComposition: MakeExample = async (world) => ({
  headers: byKey(world),
  params: { id: compositionIdOf((await filmedSession(world)).id) },
})
const ofReadyComposition: MakeExample = async (world) => ({
  headers: byKey(world),
  params: { id: (await readyFilm(world)).id },
})
const ofReadyCompositionToken: MakeExample = async (world) => {
  const params = { id: (await readyFilm(world)).id }
  const { data } = await world.server.client(world.key).call('compositions.downloadUrl', { params })
  return { params, query: { token: new URL(data.url).searchParams.get('token') ?? '' } }
}
const ofPortalFilmed: MakeExample = async (world) => ({
  headers: await byUser(world),
  params: { id: (await filmedSession(world)).id },
})
const ofPortalComposition: MakeExample = async (world) => {
  const { id } = await filmedSession(world)
  return { headers: await byUser(world), params: { id, compositionId: compositionIdOf(id) } }
}
const ofPortalReadyComposition: MakeExample = async (world) => {
  const { id, sessionId } = await readyFilm(world)
  return { headers: await byUser(world), params: { id: sessionId, compositionId: id } }
}
/** Live sessions are never simulated: there, any session stands for one that might have been. */
const ofSimulated: MakeExample = async (world) => {
  const example = await ofScheduled(world)
  const { params } = example
  if (world.scope.environment === 'sandbox' && params)
    await world.server
      .client(world.key)
      .call('sandbox.simulate', { params: { id: params['id'] ?? '' }, body: { scenario: 'complete_interview' } })
  return example
}

const freshPhone = async ({ server, key }: World): Promise<Phone> => {
  const api = server.client(key)
  return claimPhone(server, api, (await scheduleSession(api)).id)
}
const agreedPhone = async (world: World): Promise<Phone> => {
  const phone = await freshPhone(world)
  const { server, key } = world
  await agreeOnDevice(server, server.client(key), phone.sessionId, phone.token, 'companion')
  return phone
}
/** Beats a second apart, the last one now. */
const beatsOf = ({ server }: World, states: readonly ('on' | 'off' | 'interrupted')[]) =>
  states.map((recording, index) => ({
    clientId: newClientId(),
    at: new Date(server.clock.now() - 1000 * (states.length - 1 - index)).toISOString(),
    recording,
  }))
const ofPhone = (phone: Phone) => ({ headers: bearer(phone.token), params: { sessionId: phone.sessionId } })
const freshCode = async ({ server, key }: World): Promise<string> => {
  const api = server.client(key)
  const { id } = await scheduleSession(api)
  return (await api.call('sessions.joinLinks.create', { params: { id }, body: { role: 'companion' } })).data.joinCode
}
const newPreview = async ({ server }: World) =>
  ({
    capturedAt: nowIso(server),
    contentType: 'image/webp',
    data: (await newPicture()).toString('base64'),
  }) as const

const ofRequestLink = async ({ server, scope, key }: World) => {
  const { id } = await scheduleSession(server.client(key))
  return { headers: bearer(await requestLink(server, scope, id)) }
}
const ofRequest = async (world: World, kind: RequestKind) => {
  const { id } = await freshRequest(world, kind)
  return { headers: await byUser(world), params: { orgId: world.scope.orgId, requestId: id } }
}

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
    return { json: { joinCode: data.joinCode, device: { platform: 'linux' }, locale: 'en-GB' } }
  },
  'agent.sessions.register': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    return { headers: bearer(session.agent), json: await registration(world.server, session) }
  },
  'sessions.detail': ofUser,
  'sessions.live': ofUser,
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
  'portal.evidence.get': async (world) => ({ headers: await byUser(world), params: { id: world.screenshotId } }),
  'portal.evidence.content': async (world) => ({ headers: await byUser(world), params: { id: world.screenshotId } }),
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
    await withoutSpareWebhooks(world)
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
  'auth.login': ({ server, scope }) => {
    const owner = server.orgs.find(({ orgId }) => orgId === scope.orgId)
    return { json: { email: owner?.email, password: testPassword } }
  },
  'auth.refresh': async (world) => ({ headers: await freshCookies(world), json: {} }),
  'auth.logout': async (world) => ({ headers: await freshCookies(world), json: {} }),
  'auth.me': async (world) => ({ headers: await byUser(world) }),
  'portal.apiKeys.list': ofOrg,
  'portal.apiKeys.create': async (world) => {
    await withoutSpareKeys(world)
    return { ...(await ofOrg(world)), json: newKey }
  },
  'portal.apiKeys.rotate': async (world) => ({ ...(await ofNewKey(world)), json: {} }),
  'portal.apiKeys.revoke': ofNewKey,
  'portal.webhooks.list': ofOrg,
  'portal.webhooks.create': async (world) => {
    await withoutSpareWebhooks(world)
    return { ...(await ofOrg(world)), json: { ...newWebhook, environment: world.scope.environment } }
  },
  'portal.webhooks.patch': async (world) => ({
    ...(await ofNewPortalWebhook(world)),
    json: { description: 'changed' },
  }),
  'portal.webhooks.delete': ofNewPortalWebhook,
  'portal.webhooks.rotateSecret': async (world) => ({ ...(await ofPortalWebhook(world)), json: {} }),
  'portal.webhooks.test': async (world) => ({ ...(await ofPortalWebhook(world)), json: {} }),
  'portal.webhooks.deliveries.list': ofPortalWebhook,
  'portal.webhooks.deliveries.replay': async (world) => {
    const { headers, params } = await ofPortalWebhook(world)
    return { headers, params: { ...params, deliveryId: world.deliveryId }, json: {} }
  },
  'sessions.compositions.list': ofFilmed,
  'compositions.get': ofComposition,
  'compositions.render': async (world) => ({ ...(await ofComposition(world)), json: {} }),
  'compositions.downloadUrl': async (world) => ({ ...(await ofReadyComposition(world)), json: {} }),
  'compositions.content': ofReadyCompositionToken,
  'portal.compositions.list': ofPortalFilmed,
  'portal.compositions.render': async (world) => ({ ...(await ofPortalComposition(world)), json: {} }),
  'portal.compositions.content': ofPortalReadyComposition,
  'pairings.claim': async (world) => ({ params: { joinCode: await freshCode(world) }, json: { locale: 'hi-IN' } }),
  'pairings.consent': async (world) => {
    const phone = await freshPhone(world)
    return { ...ofPhone(phone), json: deviceAnswer(world.server, phone.documentHash) }
  },
  'pairings.presence': async (world) => {
    const beats = beatsOf(world, ['on', 'off', 'interrupted', 'off'])
    return { ...ofPhone(await agreedPhone(world)), json: { beats } }
  },
  'pairings.unpair': async (world) => {
    const phone = await agreedPhone(world)
    const call = { params: { sessionId: phone.sessionId }, body: { beats: beatsOf(world, ['on']) } }
    await world.server.client(phone.token).call('pairings.presence', call)
    return { ...ofPhone(phone), json: {} }
  },
  'companion.get': (world) => ({ headers: bearer(world.live.companion), params: { id: world.live.id } }),
  'companion.joinLinks.create': (world) => ({ ...ofAgent(world), json: {} }),
  'companion.placement': async (world) => {
    const picture = await newPicture()
    const photo = { contentType: 'image/webp', sha256: sha256(picture), data: picture.toString('base64') }
    const steps = placementSteps.map((step) => ({ step, confirmed: true }))
    return { headers: bearer(world.live.companion), params: { id: world.live.id }, json: { steps, photo } }
  },
  'companion.preview.get': async (world) => {
    const body = await newPreview(world)
    await world.server
      .client(world.live.companion)
      .call('companion.preview.push', { params: { id: world.live.id }, body })
    return ofUser(world)
  },
  'companion.preview.push': async (world) => ({
    headers: bearer(world.live.companion),
    params: { id: world.live.id },
    json: await newPreview(world),
  }),
  'rooms.get': (world) => ({ headers: bearer(world.live.room), params: { sessionId: world.live.id } }),
  'rooms.consent': async (world) => {
    const session = await scheduleSession(world.server.client(world.key))
    const token = await mintToken(world.server, world.scope, session.id, 'room')
    const { data } = await world.server.client(token).call('rooms.get', { params: { sessionId: session.id } })
    const json = deviceAnswer(world.server, data.consentDocument.hash)
    return { headers: bearer(token), params: { sessionId: session.id }, json }
  },
  'rooms.release': async (world) => {
    const token = await mintToken(world.server, world.scope, world.live.id, 'room')
    return { headers: bearer(token), params: { sessionId: world.live.id }, json: {} }
  },
  'sandbox.simulate': async (world) => ({ ...(await ofScheduled(world)), json: { scenario: 'complete_interview' } }),
  'sandbox.simulation': ofSimulated,
  'updates.manifest': async (world) => {
    await withPublished(world.server)
    return { query: { app: 'desktop_agent' } }
  },
  'updates.securityPolicy': async (world) => {
    await withPublished(world.server)
    return {}
  },
  ...invitationExamples,
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
  'candidateRequests.submit': async (world) => ({
    ...(await ofRequestLink(world)),
    json: { kind: 'context_statement', text: 'My neighbour mowed his lawn.', replyTo: 'candidate@example.org' },
  }),
  'candidateRequests.export': async (world) => {
    const { id: requestId, token } = await freshRequest(world, 'access')
    const approve = { headers: await byUser(world), params: { orgId: world.scope.orgId, requestId } }
    await world.server.client().call('portal.candidateRequests.approve', approve)
    return { headers: bearer(token), json: { requestId } }
  },
  'portal.candidateRequests.list': async (world) => {
    await withLiveRequests(world)
    return ofOrg(world)
  },
  'portal.candidateRequests.get': (world) => ofRequest(world, 'context_statement'),
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
    json: { text: 'Thank you, we have read it.' },
  }),
  'portal.candidateContext.get': async (world) => {
    const { sessionId } = await freshRequest(world, 'context_statement')
    return { headers: await byUser(world), params: { orgId: world.scope.orgId, sessionId } }
  },
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
