import { createHash, randomUUID } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import sharp from 'sharp'
import { type BenchServer, type LiveSession, liveSession } from './harness.ts'

/** By the defaults of a session: how often an agent sends what. Together it is about the 24 MiB an hour that agents were measured with. */
const perMinute = { stills: 6, sounds: 12, frames: 4, batches: 6, polls: 1 }
const eventsOfBatch = 3
const soundBytes = 20_000

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const at = (): string => new Date().toISOString()

/** Of about 16 kB; each is another one. */
export const picture = async (): Promise<Buffer> => {
  const width = 240
  const pixels = Buffer.alloc(width * 135 * 3)
  for (let i = 0; i < pixels.length; i += 1) pixels[i] = (i * 2_654_435_761) >>> 24
  pixels.write(randomUUID())
  return sharp(pixels, { raw: { width, height: 135, channels: 3 } })
    .webp({ quality: 40 })
    .toBuffer()
}

let sounds = 0

const upload = async (
  baseUrl: string,
  { id, token }: LiveSession,
  kind: 'stills' | 'frames' | 'sounds',
  made?: Buffer,
): Promise<void> => {
  const agent = createClient({ baseUrl, token })
  const params = { id }
  if (kind === 'sounds') {
    const bytes = Buffer.concat([
      Buffer.from('OggS'),
      Buffer.from(randomUUID()),
      Buffer.alloc(soundBytes, randomUUID()),
    ])
    const meta = {
      clientId: randomUUID(),
      sha256: sha256(bytes),
      sequence: ++sounds,
      startedAt: at(),
      durationMs: 10_000,
    }
    const raw = {
      bytes,
      contentType: 'audio/ogg',
      meta: { ...meta, codec: 'opus' as const, contentType: 'audio/ogg' as const },
    }
    await agent.call('agent.audioChunks.upload', { params, raw })
    return
  }
  const bytes = made ?? (await picture())
  const meta = { clientId: randomUUID(), sha256: sha256(bytes), capturedAt: at(), contentType: 'image/webp' as const }
  if (kind === 'stills')
    await agent.call('agent.screenshots.upload', {
      params,
      raw: { bytes, contentType: 'image/webp', meta: { ...meta, displayId: 'd1' } },
    })
  else await agent.call('agent.cameraFrames.upload', { params, raw: { bytes, contentType: 'image/webp', meta } })
}

export const sendStill = (baseUrl: string, session: LiveSession, bytes: Buffer): Promise<void> =>
  upload(baseUrl, session, 'stills', bytes)

const batch = () =>
  Array.from({ length: eventsOfBatch }, () => ({
    clientId: randomUUID(),
    kind: 'foreground.changed' as const,
    observedAt: at(),
    source: 'foreground' as const,
    data: { observerVersion: '1', method: 'xprop', value: 'Application', baseline: 'Terminal' },
  }))

/** A whole interview as its agent sends it, as fast as the server takes it. */
export const holdInterview = async (server: BenchServer, minutes: number): Promise<void> => {
  const session = await liveSession(server)
  const params = { id: session.id }
  const agent = createClient({ baseUrl: server.url, token: session.token })
  for (let minute = 0; minute < minutes; minute += 1) {
    for (const kind of ['stills', 'sounds', 'frames'] as const)
      for (let n = 0; n < perMinute[kind]; n += 1) await upload(server.url, session, kind)
    for (let n = 0; n < perMinute.batches; n += 1)
      await agent.call('agent.events.ingest', { params, body: { events: batch() } })
    for (let n = 0; n < perMinute.polls; n += 1) await agent.call('agent.sessions.config', { params })
  }
  const api = createClient({ baseUrl: server.url, token: server.sandboxKey })
  await api.call('sessions.end', { params })
  await api.call('sessions.report', { params })
}
