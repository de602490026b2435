// What a made-up agent captures and sends, for benches.
import { createHash, randomUUID } from 'node:crypto'
import { createClient } from '@integrity/client/every-endpoint'
import { joinFrames, packMediaType } from '@integrity/protocol'
import sharp from 'sharp'
import type { Captured } from '../test/test-support/default-interview.ts'
import type { LiveSession } from './harness.ts'

const soundBytes = 20_000

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
export const at = (): string => new Date().toISOString()

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

const line = (n: number): string => {
  const words = Array.from({ length: 12 }, (_, k) => createHash('md5').update(`${n} ${k}`).digest('hex').slice(0, 9))
  return `<text x="${20 + (n % 2) * 960}" y="${24 + Math.floor(n / 2) * 19}">${words.join(' ')}</text>`
}

/** A screen of 1920 × 1080 with text, as WebP of about so many bytes. */
export const screenOf = async (bytes: number): Promise<Buffer> => {
  let best: Buffer | undefined
  for (let lines = 2; lines <= 112; lines += 2) {
    const text = Array.from({ length: lines }, (_, n) => line(n)).join('')
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" font-family="monospace" font-size="14"><rect width="1920" height="1080" fill="white"/>${text}</svg>`
    best = await sharp(Buffer.from(svg)).webp({ quality: 75 }).toBuffer()
    if (best.length >= bytes) return best
  }
  if (!best) throw new Error('no picture was made')
  return best
}

/** The same picture as another file: readers leave out chunks that they do not know (RFC 9649, section 2.7.1.6). */
const unlike = (webp: Buffer): Buffer => {
  const id = Buffer.from(randomUUID())
  const head = Buffer.alloc(8)
  head.write('uuid')
  head.writeUInt32LE(id.length, 4)
  const made = Buffer.concat([webp, head, id])
  made.writeUInt32LE(made.length - 8, 4)
  return made
}

export interface Item {
  readonly head: Readonly<Record<string, unknown>> & { readonly clientId: string }
  readonly body: Buffer
}

/** Pictures that a bench encodes once. */
export interface Pictures {
  readonly screen: Buffer
  readonly camera: Buffer
  /** Of 160 × 90. */
  readonly small: string
}

export const picturesOf = async (screenBytes: number): Promise<Pictures> => {
  const screen = await screenOf(screenBytes)
  const small = await sharp(screen).resize(160).webp({ quality: 50 }).toBuffer()
  return { screen, camera: await picture(), small: small.toString('base64') }
}

/** Of about 16 kB each, as a server is filled with. */
export const smallPictures = async (): Promise<Pictures> => {
  const screen = await picture()
  return {
    screen,
    camera: await picture(),
    small: (await sharp(screen).resize(160).webp().toBuffer()).toString('base64'),
  }
}

let sounds = 0

export const itemOf = (evidenceType: Captured['evidenceType'], { screen, camera, small }: Pictures): Item => {
  const isSound = evidenceType === 'audio_chunk' || evidenceType === 'system_audio_chunk'
  const body = isSound
    ? Buffer.concat([Buffer.from('OggS'), Buffer.from(randomUUID()), Buffer.alloc(soundBytes, randomUUID())])
    : unlike(evidenceType === 'screenshot' ? screen : camera)
  const said = { clientId: randomUUID(), evidenceType, sha256: sha256(body) }
  if (!isSound) {
    const of = evidenceType === 'screenshot' ? { displayId: 'd1' } : {}
    return { head: { ...said, ...of, contentType: 'image/webp', capturedAt: at(), small }, body }
  }
  const levels = Buffer.alloc(100, 120).toString('base64')
  const sound = { startedAt: at(), sequence: ++sounds, durationMs: 10_000, codec: 'opus', contentType: 'audio/ogg' }
  return { head: { ...said, ...sound, levels }, body }
}

/** In one request. */
export const sendTogether = async (url: string, { id, token }: LiveSession, items: readonly Item[]): Promise<void> => {
  const raw = { bytes: joinFrames(items), contentType: packMediaType, meta: {} }
  const { data } = await createClient({ baseUrl: url, token }).call('agent.packs.upload', { params: { id }, raw })
  const refused = data.items.find(({ status }) => status === 'refused')
  if (refused) throw new Error(`an item is refused: ${JSON.stringify(refused.error)}`)
}

/** By its own endpoint, which takes nothing beside it. */
export const sendAlone = async (baseUrl: string, { id, token }: LiveSession, { head, body }: Item): Promise<void> => {
  const agent = createClient({ baseUrl, token })
  const { evidenceType, small: _small, levels: _levels, ...meta } = head
  const raw = { bytes: body, contentType: String(head['contentType']), meta } as never
  const params = { id }
  if (evidenceType === 'screenshot') await agent.call('agent.screenshots.upload', { params, raw })
  else if (evidenceType === 'camera_frame') await agent.call('agent.cameraFrames.upload', { params, raw })
  else if (evidenceType === 'audio_chunk') await agent.call('agent.audioChunks.upload', { params, raw })
  else await agent.call('agent.systemAudio.upload', { params, raw })
}
