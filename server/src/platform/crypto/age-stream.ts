import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { releaseMemory } from '../release-memory.ts'
import { AgeError } from './age-error.ts'

/*
 * The age v1 payload (C2SP age.md): a 16-byte nonce, then ChaCha20-Poly1305 over chunks of 64 KiB (the STREAM
 * construction). A chunk's nonce is its index as an 11-byte big-endian counter and one byte that is 1 for the last
 * chunk only, so a chunk moved, dropped, or cut off from the end does not authenticate.
 */

export const chunkBytes = 64 * 1024
const tagBytes = 16
export const sealedChunkBytes = chunkBytes + tagBytes
export const payloadNonceBytes = 16
/** How many chunks one read brings in: few system calls, little memory. */
const chunksPerRead = 16

/** The key of one payload: HKDF-SHA256 over the file key, salted by the payload's nonce. */
export const payloadKey = (fileKey: Uint8Array, nonce: Uint8Array): KeyObject => {
  if (nonce.length !== payloadNonceBytes) throw new RangeError(`a payload nonce has ${payloadNonceBytes} bytes`)
  return createSecretKey(Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32)))
}

/** Chunks of a plaintext of that many bytes; an empty one still has its one, empty, last chunk. */
const chunkCount = (plainSize: number): number => Math.max(1, Math.ceil(plainSize / chunkBytes))

/** Bytes of the payload (nonce included) of a plaintext of that many bytes. */
export const payloadSize = (plainSize: number): number =>
  payloadNonceBytes + plainSize + tagBytes * chunkCount(plainSize)

/** Where a chunk's sealed bytes begin in the payload. */
export const chunkOffset = (index: number): number => payloadNonceBytes + index * sealedChunkBytes

/**
 * Bytes of the plaintext of a payload of that many bytes. Throws `AgeError('payload_size')` for a length that no
 * payload has: shorter than an empty one, cut within a tag, or ending in an empty chunk after others.
 */
export const plainSize = (sizeOfPayload: number): number => {
  const body = sizeOfPayload - payloadNonceBytes
  const chunks = Math.max(1, Math.ceil(body / sealedChunkBytes))
  const last = body - (chunks - 1) * sealedChunkBytes
  if (last < tagBytes || (last === tagBytes && chunks > 1)) {
    throw new AgeError('payload_size', `no payload is ${sizeOfPayload} bytes long`)
  }
  return body - chunks * tagBytes
}

/**
 * Seals consecutive chunks, the first at `firstChunkIndex`. `plain` is a whole number of chunks unless `isLast`;
 * only the last chunk of the last part carries the final flag. Writes into `into` when given (at least as long as
 * the result) and returns the filled part of it. The result depends on nothing else: the same input seals to the
 * same bytes, and **one key must never seal two different plaintexts at one index** (that gives away their XOR and
 * lets tags be forged).
 */
export const sealChunks = (
  key: KeyObject,
  firstChunkIndex: number,
  plain: Uint8Array,
  isLast: boolean,
  into?: Buffer,
): Buffer => {
  if (!isLast && (plain.length === 0 || plain.length % chunkBytes !== 0)) {
    throw new RangeError('only the last part may end within a chunk')
  }
  if (isLast && plain.length === 0 && firstChunkIndex > 0) {
    throw new RangeError('an empty last chunk is allowed in an empty plaintext only')
  }
  const chunks = chunkCount(plain.length)
  const length = plain.length + chunks * tagBytes
  const out = into ?? Buffer.allocUnsafe(length)
  if (out.length < length) throw new RangeError('the output buffer is too short')
  const nonce = Buffer.alloc(12)
  for (let i = 0; i < chunks; i++) {
    setChunkNonce(nonce, firstChunkIndex + i, isLast && i === chunks - 1)
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
    const sealed = cipher.update(plain.subarray(i * chunkBytes, (i + 1) * chunkBytes))
    cipher.final()
    const at = i * sealedChunkBytes
    sealed.copy(out, at)
    cipher.getAuthTag().copy(out, at + sealed.length)
    releaseMemory(sealed)
  }
  return out.subarray(0, length)
}

/** Opens one sealed chunk. Throws `AgeError('payload_corrupt')` and gives out nothing if it does not authenticate. */
export const openChunk = (key: KeyObject, index: number, isLast: boolean, sealed: Buffer): Buffer => {
  if (sealed.length < tagBytes) throw new AgeError('payload_corrupt', `chunk ${index} is cut short`)
  const nonce = Buffer.alloc(12)
  setChunkNonce(nonce, index, isLast)
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  const plain = decipher.update(sealed.subarray(0, sealed.length - tagBytes))
  try {
    decipher.final()
  } catch (cause) {
    throw new AgeError('payload_corrupt', `chunk ${index} does not authenticate`, { cause })
  }
  return plain
}

/** Reads `length` bytes at `offset` of the payload (nonce included) into `into`; fewer only at its end. */
export type ReadPayload = (offset: number, length: number, into: Buffer) => Promise<Buffer>

export interface PlainRange {
  /** Size of the whole plaintext in bytes, from the row, never from the store: it decides which chunk is the last. */
  readonly size: number
  /** First byte wanted. */
  readonly start: number
  /** One past the last byte wanted. */
  readonly end: number
}

/**
 * Decrypts the wanted range, reading only the chunks it touches; yields pieces of at most 64 KiB, each already
 * authenticated at its place. A range that reaches the end proves the final flag; one that stops earlier proves only
 * its own chunks, so the caller compares the stored length with `payloadSize(size)` first, as `openSealed` does.
 * An empty object is proved by reading it (0 to 0). Throws `AgeError`: `invalid_range`, `payload_corrupt`.
 */
export async function* openRange(readAt: ReadPayload, key: KeyObject, range: PlainRange): AsyncGenerator<Buffer> {
  const { size, start, end } = range
  if (![size, start, end].every(Number.isSafeInteger) || start < 0 || end < start || end > size) {
    throw new AgeError('invalid_range', `bytes ${start} to ${end} are not within ${size}`)
  }
  if (start === end && size > 0) return
  const lastChunk = chunkCount(size) - 1
  const bodyEnd = payloadSize(size)
  const untilChunk = Math.max(1, Math.ceil(end / chunkBytes))
  const firstChunk = Math.floor(start / chunkBytes)
  const buffer = Buffer.allocUnsafe(Math.min(chunksPerRead, untilChunk - firstChunk) * sealedChunkBytes)
  for (let chunk = firstChunk; chunk < untilChunk; chunk += chunksPerRead) {
    const until = Math.min(untilChunk, chunk + chunksPerRead)
    const length = Math.min(bodyEnd, chunkOffset(until)) - chunkOffset(chunk)
    const sealed = await readAt(chunkOffset(chunk), length, buffer)
    if (sealed.length !== length) throw new AgeError('payload_corrupt', 'the payload is shorter than its size asks for')
    for (let index = chunk; index < until; index++) {
      const at = (index - chunk) * sealedChunkBytes
      const plain = openChunk(key, index, index === lastChunk, sealed.subarray(at, at + sealedChunkBytes))
      const from = index * chunkBytes
      const piece = plain.subarray(Math.max(0, start - from), Math.min(plain.length, end - from))
      if (piece.length > 0) yield piece
    }
  }
}

const setChunkNonce = (nonce: Buffer, index: number, isLast: boolean): void => {
  // 48 of the counter's 88 bits: 16 EiB of plaintext.
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
}
