import { randomBytes } from 'node:crypto'
import { AgeError } from './age-error.ts'
import { fileKeyBytes, unwrapFileKey, wrapFileKey } from './age-header.ts'
import type { AgeIdentity } from './age-keys.ts'
import { chunkBytes, openChunk, payloadKey, payloadNonceBytes, sealChunks, sealedChunkBytes } from './age-stream.ts'

/** How much is sealed at once. */
const partBytes = 16 * chunkBytes
const maxHeaderBytes = 64 * 1024

/** Hands on pieces of exactly `size` bytes; the last one, which may be empty, is marked. */
async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let held: Uint8Array[] = []
  let length = 0
  for await (const bytes of source) {
    held.push(bytes)
    length += bytes.length
    // One byte more than a piece is waited for: only then is it known not to be the last.
    if (length <= size) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; all.length - at > size; at += size) yield { piece: all.subarray(at, at + size), isLast: false }
    held = [all.subarray(at)]
    length = all.length - at
  }
  yield { piece: Buffer.concat(held), isLast: true }
}

/** A whole age v1 file of what the source gives, for these recipients; its length need not be known before. */
export async function* sealFile(
  source: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Buffer> {
  const [fileKey, nonce] = [randomBytes(fileKeyBytes), randomBytes(payloadNonceBytes)]
  const key = payloadKey(fileKey, nonce)
  yield Buffer.concat([Buffer.from(wrapFileKey(fileKey, recipients), 'latin1'), nonce])
  let chunk = 0
  for await (const { piece, isLast } of inPieces(source, partBytes)) {
    yield sealChunks(key, chunk, piece, isLast)
    chunk += partBytes / chunkBytes
  }
}

const keyFor = (header: string, identities: readonly AgeIdentity[]): Buffer => {
  for (const identity of identities)
    try {
      return unwrapFileKey(header, identity)
    } catch (error) {
      if (!(error instanceof AgeError) || error.code !== 'no_matching_identity') throw error
    }
  throw new AgeError('no_matching_identity', 'no stanza of the header opens with an identity that was given')
}

const macLine = Buffer.from('\n--- ', 'latin1')

/** Where the header ends, the newline after its MAC included; -1 while it has not ended. */
const headerEnd = (bytes: Buffer): number => {
  const line = bytes.indexOf(macLine)
  return line === -1 ? -1 : bytes.indexOf(0x0a, line + macLine.length) + 1 || -1
}

/**
 * What an age v1 file holds, as it is read; each piece is authenticated before it is handed on, and the end too: a file that
 * was cut throws after its last whole chunk, so what came before is believed only when all came. Throws `AgeError`.
 */
export async function* openFile(
  source: AsyncIterable<Uint8Array>,
  identities: readonly AgeIdentity[],
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  let end = -1
  while (end === -1 || head.length < end + payloadNonceBytes) {
    const next = await pieces.next()
    if (next.done || (end === -1 && head.length > maxHeaderBytes))
      throw new AgeError('malformed_header', 'not an age v1 file, or one that was cut')
    head = Buffer.concat([head, next.value])
    end = headerEnd(head)
  }
  const fileKey = keyFor(head.toString('latin1', 0, end), identities)
  const key = payloadKey(fileKey, head.subarray(end, end + payloadNonceBytes))
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    yield head.subarray(end + payloadNonceBytes)
    yield* { [Symbol.asyncIterator]: () => pieces }
  }
  let index = 0
  for await (const { piece, isLast } of inPieces(rest(), sealedChunkBytes)) {
    const plain = openChunk(key, index, isLast, piece)
    if (isLast && plain.length === 0 && index > 0) throw new AgeError('payload_size', 'ends in an empty chunk')
    index += 1
    if (plain.length > 0) yield plain
  }
}
