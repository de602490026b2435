import { createHash, randomBytes } from 'node:crypto'
import type { Client } from '@integrity/client/every-endpoint'
import type { LaneName } from '@integrity/protocol'
import sharp from 'sharp'
import { mintApiKey } from '../../src/domains/organisation/api-keys/api-keys.service.ts'
import { compositionIdOf } from '../../src/domains/review/compositions/compositions.id.model.ts'
import { renderComposition } from '../../src/domains/review/compositions/compositions.render.service.ts'
import { findComposition } from '../../src/domains/review/compositions/compositions.store.ts'
import { system } from '../../src/kernel/identity/actor.ts'
import type { Environment, Scope } from '../../src/kernel/identity/scope.ts'
import type { Tx } from '../../src/platform/db/types.ts'
import { agreeOnDevice, mintToken } from './devices.ts'
import type { TestServer } from './server.ts'
import { startReceiver } from './webhook-receiver.ts'

/** A session with the credentials bound to it. */
export interface WorldSession {
  readonly id: string
  readonly agent: string
}
export interface LiveSession extends WorldSession {
  readonly room: string
  readonly companion: string
}

/** An organisation in one environment, with something of everything an endpoint can name. */
export interface World {
  readonly server: TestServer
  readonly scope: Scope
  readonly key: string
  readonly live: LiveSession
  readonly ended: WorldSession
  readonly screenshotId: string
  readonly webhookId: string
  readonly deliveryId: string
}

let made = 0
/** A client's own id, never the same twice. */
export const newClientId = (): string => {
  made += 1
  return `client-${made}-${randomBytes(4).toString('hex')}`
}
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const nowIso = (server: TestServer): string => new Date(server.clock.now()).toISOString()

/** A picture of 8 × 8 random pixels, so that no two have the same bytes. */
export const newPicture = (): Promise<Buffer> =>
  sharp(randomBytes(8 * 8 * 3), { raw: { width: 8, height: 8, channels: 3 } })
    .webp({ lossless: true })
    .toBuffer()
export const newSound = (): Buffer => Buffer.concat([Buffer.from('OggS'), randomBytes(60)])
export const newFilm = (): Buffer => Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), randomBytes(60)])

export const allLanes: Readonly<Partial<Record<LaneName, boolean>>> = {
  screen: true,
  microphone: true,
  system_audio: true,
  transcript: true,
  camera: true,
  signals: true,
}

/** Every lane on, so that every kind of upload is admitted. */
export const fullConfig = {
  capture: { recording: true },
  audio: { transcript: true },
  camera: { clips: true },
  sideView: { enabled: true, recording: true },
} as const

export const scheduleSession = async (api: Client, body: object = { config: fullConfig }): Promise<WorldSession> => {
  const { data } = await api.call('sessions.create', { body })
  return { id: data.id, agent: data.agentJoinToken }
}

/** The body of a registration that agrees to the document in force. */
export const registration = async (
  server: TestServer,
  session: WorldSession,
  lanes: Partial<Record<LaneName, boolean>> = allLanes,
) => {
  const { data } = await server.client(session.agent).call('agent.sessions.config', { params: { id: session.id } })
  const { version, hash } = data.consentDocument
  const consent = { version, locale: 'en', documentHash: hash, acceptedAt: nowIso(server), lanes }
  return { consent, device: { name: 'Laptop', platform: 'linux' } }
}

export const register = async (
  server: TestServer,
  session: WorldSession,
  lanes?: Partial<Record<LaneName, boolean>>,
): Promise<void> => {
  const body = await registration(server, session, lanes)
  await server.client(session.agent).call('agent.sessions.register', { body })
}

export const liveSession = async (server: TestServer, scope: Scope, key: string): Promise<LiveSession> => {
  const session = await scheduleSession(server.client(key))
  await register(server, session)
  const room = await mintToken(server, scope, session.id, 'room')
  const companion = await mintToken(server, scope, session.id, 'companion')
  await agreeOnDevice(server, server.client(key), session.id, room, 'room')
  await agreeOnDevice(server, server.client(key), session.id, companion, 'companion')
  return { ...session, room, companion }
}

/** The metadata of each kind of small upload, for these bytes. */
export const stillFor = (server: TestServer, bytes: Buffer) =>
  ({
    clientId: newClientId(),
    contentType: 'image/webp',
    sha256: sha256(bytes),
    capturedAt: nowIso(server),
    displayId: 'd1',
  }) as const
export const soundFor = (server: TestServer, bytes: Buffer, sequence = 0) =>
  ({
    clientId: newClientId(),
    contentType: 'audio/ogg',
    sha256: sha256(bytes),
    sequence,
    startedAt: nowIso(server),
    durationMs: 10_000,
    codec: 'opus',
  }) as const
export const clipFor = (server: TestServer, bytes: Buffer) =>
  ({
    clientId: newClientId(),
    contentType: 'video/mp4',
    sha256: sha256(bytes),
    capturedAt: nowIso(server),
    durationMs: 10_000,
  }) as const
export const beginFor = (server: TestServer, bytes: Buffer) =>
  ({
    clientId: newClientId(),
    evidenceType: 'system_audio_chunk',
    sizeBytes: bytes.length,
    sha256: sha256(bytes),
    contentType: 'audio/ogg',
    capturedAt: nowIso(server),
    durationMs: 10_000,
    codec: 'opus',
  }) as const

/** A begun upload with every part here, ready to be completed. */
export const openUpload = async (
  server: TestServer,
  session: WorldSession,
  bytes = newSound(),
  parts = true,
): Promise<string> => {
  const api = server.client(session.agent)
  const { data } = await api.call('agent.systemAudio.begin', {
    params: { id: session.id },
    body: beginFor(server, bytes),
  })
  if (!('uploadId' in data)) throw new Error('these bytes are here already')
  const { uploadId } = data
  const body = { index: 0, sha256: sha256(bytes), data: bytes.toString('base64') }
  if (parts) await api.call('agent.uploads.part', { params: { uploadId }, body })
  return uploadId
}

export const anEvent = (server: TestServer, kind = 'display.added', data: Record<string, string | number> = {}) => ({
  clientId: newClientId(),
  kind,
  observedAt: nowIso(server),
  source: 'displays',
  data,
})

export const aSegment = (sequence: number) =>
  ({
    segmentId: `segment-${sequence}`,
    sequence,
    speaker: 'candidate',
    startMs: sequence * 1000,
    endMs: sequence * 1000 + 900,
    text: `Sentence ${sequence}.`,
    final: true,
  }) as const

/** An ended session of the world with a picture and sound, of which a film can be made. Nobody has asked for one. */
const buildFilmed = async ({ server, scope, key }: World): Promise<WorldSession> => {
  const session = await liveSession(server, scope, key)
  const agent = server.client(session.agent)
  const params = { id: session.id }
  const picture = await newPicture()
  const still = { ...stillFor(server, picture), data: picture.toString('base64') }
  await agent.call('agent.screenshots.upload', { params, body: still })
  const sound = newSound()
  const chunk = { ...soundFor(server, sound), data: sound.toString('base64') }
  await agent.call('agent.audioChunks.upload', { params, body: chunk })
  await server.client(key).call('sessions.end', { params })
  return session
}

/** Its film, rendered here and now: running every due job of the world would be much more than this one. */
const buildReadyFilm = async (world: World): Promise<{ id: string; sessionId: string }> => {
  const { server, scope, key } = world
  const sessionId = (await buildFilmed(world)).id
  const id = compositionIdOf(sessionId)
  await server.client(key).call('compositions.render', { params: { id } })
  const row = await findComposition(server.app.db.reader, scope, id)
  const render = { compositionId: id, renderId: row?.renderId ?? '' }
  await renderComposition({ ...server.app, scope }, { ref: render, attempt: 1, signal: new AbortController().signal })
  return { id, sessionId }
}

/** Made when the first example asks for it, once for each world. */
export const oncePerWorld = <T>(build: (world: World) => Promise<T>): ((world: World) => Promise<T>) => {
  const built = new WeakMap<World, Promise<T>>()
  return (world) => {
    const known = built.get(world) ?? build(world)
    built.set(world, known)
    return known
  }
}
export const filmedSession = oncePerWorld(buildFilmed)
export const readyFilm = oncePerWorld(buildReadyFilm)

/** A registered endpoint whose deliveries have arrived. */
const makeWebhook = async (server: TestServer, api: Client): Promise<{ webhookId: string; deliveryId: string }> => {
  const receiver = await startReceiver(() => server.clock.now())
  try {
    const { data } = await api.call('webhooks.create', { body: { url: receiver.url, eventTypes: ['webhook.test'] } })
    const params = { id: data.id }
    const quiet = { url: 'http://127.0.0.1:9/quiet', eventTypes: ['report.stale' as const] }
    for (let i = 0; i < 2; i++) await api.call('webhooks.create', { body: quiet })
    for (let i = 0; i < 3; i++) await api.call('webhooks.test', { params })
    await server.processAll()
    const { data: log } = await api.call('webhooks.deliveries.list', { params, query: { status: 'delivered' } })
    return { webhookId: data.id, deliveryId: log.items[0]?.id ?? '' }
  } finally {
    await receiver.stop()
  }
}

/** Three of everything in one live session. */
const fill = async (server: TestServer, session: LiveSession): Promise<string> => {
  const api = server.client(session.agent)
  const params = { id: session.id }
  let screenshotId = ''
  for (let i = 0; i < 3; i++) {
    const picture = await newPicture()
    const still = { ...stillFor(server, picture), data: picture.toString('base64') }
    screenshotId = (await api.call('agent.screenshots.upload', { params, body: still })).data.id
    const frame = await newPicture()
    await api.call('agent.cameraFrames.upload', {
      params,
      body: { ...stillFor(server, frame), data: frame.toString('base64') },
    })
    const sound = newSound()
    await api.call('agent.audioChunks.upload', {
      params,
      body: { ...soundFor(server, sound, i), data: sound.toString('base64') },
    })
    const film = newFilm()
    await api.call('agent.cameraClips.upload', {
      params,
      body: { ...clipFor(server, film), data: film.toString('base64') },
    })
    const uploadId = await openUpload(server, session)
    await api.call('agent.uploads.complete', { params: { uploadId } })
  }
  const events = ['display.added', 'idle.started', 'idle.ended', 'display.removed'].map((kind) => anEvent(server, kind))
  await api.call('agent.events.ingest', { params, body: { events } })
  await api.call('agent.transcript.upsert', { params, body: { segments: [1, 2, 3].map(aSegment) } })
  return screenshotId
}

/** Builds a world for one of the server's organisations. Several of one organisation live side by side. */
/** As a provider would have told of them. */
const plantCharges = async (tx: Tx, orgId: string): Promise<void> => {
  for (const n of [1, 2, 3])
    await tx.run(
      `INSERT INTO billing_charges (org_id, charge_id, provider, status, currency, amount, charged_at)
       VALUES (?, ?, 'stripe', 'paid', 'EUR', 7500, ?) ON CONFLICT DO NOTHING`,
      [orgId, `in_${n}`, n],
    )
}

export const buildWorld = async (
  server: TestServer,
  org: 0 | 1 = 0,
  environment: Environment = 'sandbox',
): Promise<World> => {
  try {
    return await build(server, org, environment)
  } catch (cause) {
    throw new Error(`the world could not be built: ${String(cause)}\n${server.logLines.join('')}`, { cause })
  }
}

const build = async (server: TestServer, org: 0 | 1, environment: Environment): Promise<World> => {
  const { orgId, liveKey, sandboxKey } = server.orgs[org]
  const scope = { orgId, environment }
  const key = environment === 'live' ? liveKey : sandboxKey
  const api = server.client(key)
  const live = await liveSession(server, scope, key)
  const ended = await liveSession(server, scope, key)
  await api.call('sessions.end', { params: { id: ended.id } })
  await scheduleSession(api)
  await server.app.db.transact((tx) => plantCharges(tx, orgId))
  const spare = { label: 'Third key', environment, scopes: ['org:read'] } as const
  await server.app.db.transact((tx) =>
    mintApiKey({ ...server.app, tx, reader: tx }, { orgId, actor: system, input: spare }),
  )
  const webhook = await makeWebhook(server, api)
  const screenshotId = await fill(server, live)
  return { server, scope, key, live, ended, screenshotId, ...webhook }
}
