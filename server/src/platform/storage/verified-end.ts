import { createHash } from 'node:crypto'
import { StorageError } from './types.ts'

/**
 * The pieces of a read that covers the whole object, whose last one is given out only when all of them together have
 * the hash. Of other bytes the reader gets no complete answer: `digest_mismatch`. A part of the object passes as it is.
 */
export const verifiedToItsEnd = (
  pieces: AsyncGenerator<Buffer>,
  { sizeBytes, sha256 }: { readonly sizeBytes: number; readonly sha256: string },
  { start = 0, end = sizeBytes }: { readonly start?: number; readonly end?: number } = {},
): AsyncGenerator<Buffer> => (start === 0 && end === sizeBytes ? hashed(pieces, sha256) : pieces)

async function* hashed(pieces: AsyncGenerator<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let last: Buffer | undefined
  for await (const piece of pieces) {
    // Before it is given out: from then on it belongs to the reader.
    hash.update(piece)
    if (last) yield last
    last = piece
  }
  if (hash.digest('hex') !== sha256)
    throw new StorageError('digest_mismatch', 'other bytes than the row says are stored')
  if (last) yield last
}
