import type { KeyObject } from 'node:crypto'
import { CHUNK_BYTES, SEALED_CHUNK_BYTES, sealChunks } from '../crypto/age-stream.ts'

/** Plain bytes sealed and written at a time. */
const PIECE_BYTES = 32 * CHUNK_BYTES
/** Bytes that a sealed piece takes at most. */
export const SEALED_PIECE_BYTES = 32 * SEALED_CHUNK_BYTES

/** A run of whole chunks of a part; in the last part the last chunk may be short. */
export interface Piece {
  readonly firstChunk: number
  readonly plain: Uint8Array
  /** Holds the last chunk of the whole object. */
  readonly isLast: boolean
}

/** The pieces of a part that begins at `firstChunk`; an empty one is one empty piece. */
export const piecesOf = (plain: Uint8Array, firstChunk: number, isLastPart: boolean): Piece[] => {
  const count = Math.max(1, Math.ceil(plain.length / PIECE_BYTES))
  return Array.from({ length: count }, (_, n) => ({
    firstChunk: firstChunk + (n * PIECE_BYTES) / CHUNK_BYTES,
    plain: plain.subarray(n * PIECE_BYTES, (n + 1) * PIECE_BYTES),
    isLast: isLastPart && n === count - 1,
  }))
}

export const sealPiece = (key: KeyObject, { firstChunk, plain, isLast }: Piece, into: Buffer): Buffer =>
  sealChunks(key, firstChunk, plain, isLast, into)

const ZEROS = Buffer.alloc(4096)

/** Whether a byte that is not zero differs from the one wanted there. */
export function differsWhereWritten(there: Buffer, wanted: Buffer): boolean {
  for (let block = 0; block < there.length; block += ZEROS.length) {
    const end = Math.min(block + ZEROS.length, there.length)
    // Holes are the common case; they are compared natively.
    if (there.compare(ZEROS, 0, end - block, block, end) === 0) continue
    for (let at = block; at < end; at++) if (there[at] !== 0 && there[at] !== wanted[at]) return true
  }
  return false
}
