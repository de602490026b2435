import { createPublicKey, verify } from 'node:crypto'
import { captureItemText } from '@integrity/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CapturedItem } from '../capture/types.ts'
import { UploadPlace } from './test-support/upload-place.ts'

let place: UploadPlace
beforeEach(async () => {
  place = await UploadPlace.open()
})
afterEach(() => place.close())

const sessionId = 'ses_1'

interface Sent {
  readonly sha256: string
  readonly capturedAt?: string
  readonly startedAt?: string
  readonly durationMs?: number
  readonly captureSignature: { key: string; sequence: number; previous: string; signature: string }
}

/** What was said of the item: in a pack, in a header with its bytes, or at the beginning of an upload. */
const sent = (): Sent => {
  const packed = place.service.packs[0]?.[0]
  if (packed) return packed.head as unknown as Sent
  const [first] = place.server.seen
  const meta = first?.headers['x-service-evidence-meta']
  return JSON.parse(meta === undefined ? String(first?.body) : String(meta)) as Sent
}

const stored: [how: string, item: Partial<CapturedItem>][] = [
  ['a still', { kind: 'screenshot' }],
  ['a photo that a driver gave a length', { kind: 'camera_frame', lane: 'camera', durationMs: 40 }],
  ['sound', { kind: 'audio_chunk', lane: 'microphone', contentType: 'audio/webm', durationMs: 10_000.6 }],
  ['sound of no known length', { kind: 'audio_chunk', lane: 'microphone', contentType: 'audio/webm' }],
  ['the computer’s sound', { kind: 'system_audio_chunk', lane: 'system_audio', durationMs: 0.2 }],
  ['the computer’s sound of no known length', { kind: 'system_audio_chunk', lane: 'system_audio' }],
  ['a recording', { kind: 'screen_clip', contentType: 'video/mp4', durationMs: 9999.5 }],
  ['a recording of the camera', { kind: 'camera_clip', lane: 'camera', contentType: 'video/mp4', durationMs: 5000 }],
]

describe.each(['with packs', 'without packs'])('an upload to a service %s', (service) => {
  beforeEach(() => {
    if (service === 'without packs') place.withoutPacks()
  })

  it.each(stored)('says of %s what its machine has signed', async (_how, item) => {
    place.spool.chain.begin(sessionId)
    const { kind } = await place.put({ ...item, capturedAt: place.clock.wallMs() + 0.7 })
    await place.buildUploader().processAll()
    const { sha256, capturedAt, startedAt, durationMs = null, captureSignature } = sent()
    const { key, signature, ...link } = captureSignature
    const at = Date.parse(capturedAt ?? startedAt ?? '')
    const text = captureItemText({ sessionId, ...link, evidenceType: kind, sha256, capturedAt: at, durationMs })
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
    expect(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
    expect(place.spool.remaining().items).toBe(0)
    const isPacked =
      service === 'with packs' && (kind === 'screenshot' || kind === 'camera_frame' || item.durationMs !== undefined)
    expect(place.service.packs.flat()).toHaveLength(isPacked ? 1 : 0)
  })

  it('says nothing of a machine that does not sign', async () => {
    await place.put()
    await place.buildUploader().processAll()
    expect(sent()).not.toHaveProperty('captureSignature')
  })
})
