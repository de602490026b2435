import { createHash, type Hash, randomBytes } from 'node:crypto'
import { AgeError } from '../crypto/age-error.ts'
import { fileKeyBytes, unwrapFileKey, wrapFileKey } from '../crypto/age-header.ts'
import type { AgeIdentity } from '../crypto/age-keys.ts'
import {
  chunkBytes,
  openRange,
  payloadKey,
  payloadNonceBytes,
  payloadSize,
  sealChunks,
  sealedChunkBytes,
} from '../crypto/age-stream.ts'
import { type ObjectPlace, type ObjectReader, type ObjectStore, StorageError } from './types.ts'

/** Chunks gathered before they are sealed and written: large writes, and the memory one object may take. */
const chunksPerPiece = 16

export interface SealWholeOptions {
  readonly store: Pick<ObjectPlace, 'put'>
  readonly key: string
  /** Exact size of the plaintext in bytes. */
  readonly size: number
  /** `age1…`: the organisation's, and the customer's own if there is one. */
  readonly recipients: readonly string[]
  /** Hex. When given, other bytes are refused with `digest_mismatch` before the object exists. */
  readonly expectedSha256?: string
}

export interface SealedObject {
  /** The age header: belongs into the row. Without it the stored bytes cannot be opened by anyone. */
  readonly header: string
  /** Of the plaintext, hex. */
  readonly sha256: string
  /** Of the plaintext. */
  readonly sizeBytes: number
}

/**
 * Encrypts a stream into the store in about 2 MiB of memory, whatever its size; plain bytes never reach the store.
 * Header + stored payload, joined, are a plain age file. Durable when it resolves; when it rejects nothing is left.
 * Throws `StorageError`: `size_mismatch`, `digest_mismatch`, `conflict`; `AgeError('invalid_recipient')`.
 */
export const sealWhole = async (
  source: AsyncIterable<Uint8Array>,
  { store, key, size, recipients, expectedSha256 }: SealWholeOptions,
): Promise<SealedObject> => {
  const fileKey = randomBytes(fileKeyBytes)
  const header = wrapFileKey(fileKey, recipients)
  const hash = createHash('sha256')
  let sha256 = ''
  const finish = () => {
    sha256 = hash.digest('hex')
    if (expectedSha256 !== undefined && sha256 !== expectedSha256.toLowerCase()) {
      throw new StorageError('digest_mismatch', 'the bytes are not the ones that were declared')
    }
  }
  await store.put(key, sealStream(source, fileKey, size, hash, finish), { size: payloadSize(size) })
  return { header, sha256, sizeBytes: size }
}

/** The payload in pieces. A piece is overwritten when the next one is asked for, as `ObjectStore.put` allows. */
async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  fileKey: Buffer,
  size: number,
  hash: Hash,
  finish: () => void,
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(payloadNonceBytes)
  const key = payloadKey(fileKey, nonce)
  yield nonce
  const plain = Buffer.allocUnsafe(Math.min(size, chunksPerPiece * chunkBytes))
  const sealed = Buffer.allocUnsafe(Math.ceil(plain.length / chunkBytes || 1) * sealedChunkBytes)
  let filled = 0
  let taken = 0
  let chunk = 0
  for await (const piece of source) {
    if (taken + piece.length > size) throw new StorageError('size_mismatch', `more than ${size} bytes`)
    taken += piece.length
    hash.update(piece)
    for (let at = 0; at < piece.length; ) {
      // A full buffer waits for the next byte: only then is it certain that it is not the last one.
      if (filled === plain.length) {
        yield sealChunks(key, chunk, plain, false, sealed)
        chunk += chunksPerPiece
        filled = 0
      }
      const part = piece.subarray(at, at + plain.length - filled)
      plain.set(part, filled)
      filled += part.length
      at += part.length
    }
  }
  if (taken !== size) throw new StorageError('size_mismatch', `${taken} bytes instead of ${size}`)
  finish()
  yield sealChunks(key, chunk, plain.subarray(0, filled), true, sealed)
}

export interface OpenSealedOptions {
  /** Size of the plaintext in bytes, from the row. A stored object of another length is refused. */
  readonly sizeBytes: number
  /** First byte wanted; 0 unless given. */
  readonly start?: number
  /** One past the last byte wanted; the end unless given. */
  readonly end?: number
}

/**
 * The plaintext of a stored object, or a range of it, in authenticated pieces of at most 64 KiB; only the chunks the
 * range touches are read. Nothing is opened before the first piece is asked for. Truncated, reordered, spliced or
 * flipped bytes throw before any byte of their chunk is given out. Throws `AgeError`, `StorageError('not_found')`.
 */
export async function* openSealed(
  header: string,
  identity: AgeIdentity,
  store: Pick<ObjectStore, 'open'>,
  key: string,
  { sizeBytes, start = 0, end = sizeBytes }: OpenSealedOptions,
): AsyncGenerator<Buffer> {
  const fileKey = unwrapFileKey(header, identity)
  const reader = await store.open(key)
  try {
    yield* readSealed(reader, fileKey, { size: sizeBytes, start, end })
  } finally {
    await reader.close()
  }
}

/** Decrypts a range from an open reader, after comparing the stored length with what the plaintext's size asks for. */
async function* readSealed(
  reader: ObjectReader,
  fileKey: Uint8Array,
  range: { size: number; start: number; end: number },
): AsyncGenerator<Buffer> {
  if (reader.size !== payloadSize(range.size)) {
    throw new AgeError('payload_size', `${reader.size} bytes are stored where ${payloadSize(range.size)} belong`)
  }
  const nonce = await reader.read(0, payloadNonceBytes)
  if (nonce.length !== payloadNonceBytes) throw new AgeError('payload_size', 'the payload has no nonce')
  const readAt = (offset: number, length: number, into: Buffer) => reader.read(offset, length, into)
  yield* openRange(readAt, payloadKey(fileKey, nonce), range)
}
