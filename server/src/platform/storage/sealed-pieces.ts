import type { KeyObject } from 'node:crypto'
import { chunkBytes, sealChunks, sealedChunkBytes } from '../crypto/age-stream.ts'

/** Plain bytes sealed and written at a time. */
const pieceBytes = 32 * chunkBytes
/** Bytes that a sealed piece takes at most. */
export const sealedPieceBytes = 32 * sealedChunkBytes

/** A run of whole chunks of a part; in the last part the last chunk may be short. */
export interface Piece {
  readonly firstChunk: number
  readonly plain: Uint8Array
  /** Holds the last chunk of the whole object. */
  readonly isLast: boolean
}

/** The pieces of a part that begins at `firstChunk`; an empty one is one empty piece. */
export const piecesOf = (plain: Uint8Array, firstChunk: number, isLastPart: boolean): Piece[] => {
  const count = Math.max(1, Math.ceil(plain.length / pieceBytes))
  return Array.from({ length: count }, (_, n) => ({
    firstChunk: firstChunk + (n * pieceBytes) / chunkBytes,
    plain: plain.subarray(n * pieceBytes, (n + 1) * pieceBytes),
    isLast: isLastPart && n === count - 1,
  }))
}

export const sealPiece = (key: KeyObject, { firstChunk, plain, isLast }: Piece, into: Buffer): Buffer =>
  sealChunks(key, firstChunk, plain, isLast, into)

const zeros = Buffer.alloc(4096)

/** Whether a byte that is not zero differs from the one wanted there. */
export const differsWhereWritten = (there: Buffer, wanted: Buffer): boolean => {
  for (let block = 0; block < there.length; block += zeros.length) {
    const end = Math.min(block + zeros.length, there.length)
    // Holes are the common case; they are compared natively.
    if (there.compare(zeros, 0, end - block, block, end) === 0) continue
    for (let at = block; at < end; at++) if (there[at] !== 0 && there[at] !== wanted[at]) return true
  }
  return false
}
