import { createHash } from 'node:crypto'
import { type ObjectPlace, type ObjectReader, StorageError } from './types.ts'

const pieceBytes = 1024 * 1024

/** The bytes of an open object in pieces, each overwritten by the next. */
async function* piecesOf(reader: ObjectReader): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(pieceBytes, Math.max(1, reader.size)))
  for (let at = 0; at < reader.size; ) {
    const piece = await reader.read(at, buffer.length, buffer)
    if (piece.length === 0) throw new StorageError('size_mismatch', 'an object is shorter than it says')
    at += piece.length
    yield piece
  }
}

const digestOf = async (place: ObjectPlace, key: string): Promise<string> => {
  const hash = createHash('sha256')
  const reader = await place.open(key)
  try {
    for await (const piece of piecesOf(reader)) hash.update(piece)
  } finally {
    await reader.close()
  }
  return hash.digest('hex')
}

/**
 * Copies an object and reads it back where it lies now: resolves when the same bytes are in both places, whoever brought
 * them there. Throws `not_found` when it is not in `from`, `digest_mismatch` when other bytes are under its name.
 */
export const copyObject = async (key: string, from: ObjectPlace, to: ObjectPlace): Promise<void> => {
  const hash = createHash('sha256')
  const reader = await from.open(key)
  try {
    const hashed = async function* () {
      for await (const piece of piecesOf(reader)) {
        hash.update(piece)
        yield piece
      }
    }
    await to.put(key, hashed(), { size: reader.size })
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'conflict') throw error
    // Brought here before, by a call that was killed or by one at the same time.
    if ((await digestOf(from, key)) === (await digestOf(to, key))) return
    throw new StorageError('digest_mismatch', 'other bytes lie under its name', { cause: error })
  } finally {
    await reader.close()
  }
  if (hash.digest('hex') !== (await digestOf(to, key)))
    throw new StorageError('digest_mismatch', 'what was read back are other bytes than were written')
}
