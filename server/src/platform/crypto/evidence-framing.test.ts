import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { unwrapFileKey } from './age-header.ts'
import { parseIdentity } from './age-keys.ts'
import { chunkBytes, chunkOffset, openRange, payloadKey, payloadSize, plainSize, sealChunks } from './age-stream.ts'

interface Vectors {
  readonly identity: string
  readonly recipient: string
  readonly header: string
  readonly fileKey: string
  readonly nonce: string
  readonly payloadKey: string
  readonly cases: readonly Case[]
}
interface Case {
  readonly plainSize: number
  readonly plainSha256: string
  readonly payloadSize: number
  readonly payloadSha256: string
  readonly partSize: number
  readonly parts: readonly Part[]
}
interface Part {
  readonly index: number
  readonly plainOffset: number
  readonly plainLength: number
  readonly payloadOffset: number
  readonly payloadLength: number
  readonly sealedSha256: string
}

const file = new URL('../../../../shared-protocol/vectors/evidence-framing.json', import.meta.url)
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
/** As the vectors' own description says. */
const plaintext = (size: number) => Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i + (i >>> 8)) & 255))

describe('the evidence framing vectors', () => {
  const nonce = Buffer.from(vectors.nonce, 'hex')
  const key = payloadKey(Buffer.from(vectors.fileKey, 'hex'), nonce)

  it('the header opens to the file key, and the payload key is derived from it', () => {
    const identity = parseIdentity(vectors.identity)
    expect(identity.recipient).toBe(vectors.recipient)
    expect(unwrapFileKey(vectors.header, identity).toString('hex')).toBe(vectors.fileKey)
    expect(key.export().toString('hex')).toBe(vectors.payloadKey)
  })

  it.each(vectors.cases)('$plainSize bytes in parts of $partSize give the payload of the vector', async (vector) => {
    const plain = plaintext(vector.plainSize)
    expect(sha256(plain)).toBe(vector.plainSha256)
    expect(payloadSize(vector.plainSize)).toBe(vector.payloadSize)
    expect(plainSize(vector.payloadSize)).toBe(vector.plainSize)
    const payload = Buffer.alloc(vector.payloadSize)
    nonce.copy(payload)
    for (const part of vector.parts) {
      const firstChunk = (part.index * vector.partSize) / chunkBytes
      expect(part.plainOffset).toBe(part.index * vector.partSize)
      expect(chunkOffset(firstChunk)).toBe(part.payloadOffset)
      const bytes = plain.subarray(part.plainOffset, part.plainOffset + part.plainLength)
      const sealed = sealChunks(key, firstChunk, bytes, part.index === vector.parts.length - 1)
      expect(sealed).toHaveLength(part.payloadLength)
      expect(sha256(sealed)).toBe(part.sealedSha256)
      sealed.copy(payload, part.payloadOffset)
    }
    expect(sha256(payload)).toBe(vector.payloadSha256)
    const readAt = async (offset: number, length: number) => payload.subarray(offset, offset + length)
    const opened = await Readable.from(
      openRange(readAt, key, { size: plain.length, start: 0, end: plain.length }),
    ).toArray()
    expect(Buffer.concat(opened).equals(plain)).toBe(true)
  })
})
