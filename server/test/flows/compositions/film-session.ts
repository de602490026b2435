import {
  buildCaptureSession,
  type CaptureOptions,
  type CaptureSession,
  iso,
  newClientId,
  picture,
} from '../../test-support/capture-session.ts'
import type { TestServer } from '../../test-support/server.ts'
import { sha256 } from '../../test-support/world.ts'

interface Sent {
  readonly at?: number
}

export const sendStill = async (
  server: TestServer,
  { agent, id }: CaptureSession,
  {
    at = server.clock.now(),
    bytes,
    contentType = 'image/webp',
    displayId = 'd1',
  }: Sent & { bytes?: Buffer; contentType?: string; displayId?: string } = {},
) => {
  const still = bytes ?? (await picture())
  const meta = { clientId: newClientId(), sha256: sha256(still), capturedAt: iso(at), displayId }
  const raw = { bytes: still, contentType, meta }
  return (await agent.call('agent.screenshots.upload', { params: { id }, raw })).data
}

export const sendFrame = async (
  server: TestServer,
  { agent, id }: CaptureSession,
  { at = server.clock.now(), bytes, contentType = 'image/webp' }: Sent & { bytes?: Buffer; contentType?: string } = {},
) => {
  const frame = bytes ?? (await picture())
  const raw = {
    bytes: frame,
    contentType,
    meta: { clientId: newClientId(), sha256: sha256(frame), capturedAt: iso(at) },
  }
  return (await agent.call('agent.cameraFrames.upload', { params: { id }, raw })).data
}

export const sendSound = async (
  server: TestServer,
  { agent, id }: CaptureSession,
  {
    at = server.clock.now(),
    bytes,
    durationMs,
    sequence,
  }: Sent & { bytes: Buffer; durationMs: number; sequence: number },
) => {
  const meta = {
    clientId: newClientId(),
    sha256: sha256(bytes),
    startedAt: iso(at),
    durationMs,
    codec: 'opus',
    sequence,
  }
  return (
    await agent.call('agent.audioChunks.upload', { params: { id }, raw: { bytes, contentType: 'audio/ogg', meta } })
  ).data
}

/** An event as the agent reports it; `at` in epoch milliseconds. */
export const sendEvent = async (
  { agent, id }: CaptureSession,
  at: number,
  kind: string,
  data: Record<string, string | number> = {},
): Promise<void> => {
  const event = { clientId: newClientId(), kind, observedAt: iso(at), source: 'tests', data }
  await agent.call('agent.events.ingest', { params: { id }, body: { events: [event] } })
}

export const endSession = async ({ api, id }: CaptureSession): Promise<void> => {
  await api.call('sessions.end', { params: { id } })
}

/** A session of a minute with a still of the screen, ended. */
export const buildFilmable = async (server: TestServer, options: CaptureOptions = {}): Promise<CaptureSession> => {
  const session = await buildCaptureSession(server, options)
  await sendStill(server, session)
  server.clock.advance(60_000)
  await endSession(session)
  return session
}
