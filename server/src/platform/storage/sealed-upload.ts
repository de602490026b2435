import { type Hash, type KeyObject, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AgeError } from '../crypto/age-error.ts'
import { fileKeyBytes, unwrapFileKey, wrapFileKey } from '../crypto/age-header.ts'
import type { AgeIdentity } from '../crypto/age-keys.ts'
import { chunkBytes, chunkOffset, openRange, payloadKey, payloadNonceBytes, payloadSize } from '../crypto/age-stream.ts'
import { releaseMemory } from '../release-memory.ts'
import type { BufferPool } from './buffer-pool.ts'
import { differsWhereWritten, type Piece, piecesOf, sealedPieceBytes, sealPiece } from './sealed-pieces.ts'
import { type PlainPart, TotalHash } from './total-hash.ts'
import { type ObjectStore, type SegmentWriter, StorageError } from './types.ts'

/** Everything a row must keep to go on after a restart. The header wraps the file key; the nonce is not secret. */
export interface SealedUploadState {
  readonly header: string
  /** The 16-byte payload nonce, base64. */
  readonly nonce: string
}

interface UploadPlace {
  readonly store: ObjectStore
  readonly key: string
  /** Size of the whole plaintext in bytes. */
  readonly size: number
  /** Plain bytes of every part but the last: a multiple of 64 KiB. */
  readonly partSize: number
  readonly buffers: BufferPool
}

interface Part {
  readonly sha256: string
  durable: boolean
}

/**
 * A large object that arrives in parts, in any order, each sealed to its final place.
 *
 * A part is sealed under a key and nonces that its index fixes. Two different plaintexts under one of them would give
 * away their XOR and let tags be forged, so: **verify a part against its declared sha256 before `writePart`**, and let
 * nothing else in. A part cut short on its way must never be sealed and then sent again whole. This class refuses
 * (`conflict`) another sha256 for an index it has seen, and, for an index it has not seen (after a restart, or written
 * by another process), bytes that differ from what is on the disk there: sealing is deterministic, so the same part
 * seals to the same bytes.
 */
export class SealedUpload {
  readonly state: SealedUploadState
  readonly partCount: number
  readonly #place: UploadPlace
  readonly #nonce: Buffer
  readonly #key: KeyObject
  readonly #segment: SegmentWriter
  readonly #parts = new Map<number, Part>()
  readonly #total = new TotalHash()
  /** The write in flight; the next one waits for it. Never rejects. */
  #last: Promise<unknown> = Promise.resolve()
  #finished = false

  private constructor(place: UploadPlace, state: SealedUploadState, fileKey: Buffer, segment: SegmentWriter) {
    this.#place = place
    this.state = state
    this.#nonce = Buffer.from(state.nonce, 'base64')
    this.#key = payloadKey(fileKey, this.#nonce)
    this.#segment = segment
    this.partCount = Math.max(1, Math.ceil(place.size / place.partSize))
  }

  /** Fixes file key, header and nonce. Keep `state` in the upload's row before the first part is accepted. */
  static async begin(options: UploadPlace & { recipients: readonly string[] }): Promise<SealedUpload> {
    assertPartSize(options.partSize)
    const fileKey = randomBytes(fileKeyBytes)
    const header = wrapFileKey(fileKey, options.recipients)
    const state = { header, nonce: randomBytes(payloadNonceBytes).toString('base64') }
    return new SealedUpload(options, state, fileKey, await openSegment(options))
  }

  /** Goes on from the row, in this process or another. Throws `AgeError` if the identity does not open the header. */
  static async resume(
    options: UploadPlace & { state: SealedUploadState; identity: AgeIdentity },
  ): Promise<SealedUpload> {
    assertPartSize(options.partSize)
    const fileKey = unwrapFileKey(options.state.header, options.identity)
    return new SealedUpload(options, options.state, fileKey, await openSegment(options))
  }

  /** Exact plain size of a part. Throws `out_of_range` for an index that the upload does not have. */
  partBytes(index: number): number {
    if (!Number.isSafeInteger(index) || index < 0 || index >= this.partCount) {
      throw new StorageError('out_of_range', `part ${index} of ${this.partCount}`)
    }
    const { size, partSize } = this.#place
    return Math.min(partSize, size - index * partSize)
  }

  /**
   * Seals a part and writes it to its place; durable when it resolves. `sha256` (hex) is the verified one of `plain`,
   * see above; a `hash` that has taken in `plain` saves hashing the first part again. The same part again is a no-op. One
   * write runs at a time, the others wait; `plain` must stay untouched until this resolves. Throws `StorageError`: `out_of_range`, `size_mismatch`, `conflict`.
   */
  writePart(index: number, plain: Buffer, sha256: string, hash?: Hash): Promise<void> {
    return this.#alone(async () => {
      if (plain.length !== this.partBytes(index)) {
        throw new StorageError('size_mismatch', `part ${index} has ${plain.length} bytes, not ${this.partBytes(index)}`)
      }
      const known = this.#parts.get(index)
      if (known && known.sha256 !== sha256) throw new StorageError('conflict', `part ${index} was other bytes before`)
      if (known?.durable) return
      const part = { sha256, durable: false }
      await this.#sealPart(index, { plain, hash }, () => this.#parts.set(index, part))
      part.durable = true
    })
  }

  /**
   * SHA-256 (hex) of the whole plaintext: kept while parts came about in order, for the others read back and decrypted.
   * Throws `AgeError('payload_corrupt')` if one of these is missing or not what was sealed.
   */
  verifyTotal(): Promise<string> {
    return this.#alone(async () => {
      const nonce = await this.#segment.read(0, payloadNonceBytes)
      // Only the bytes in the store count later on: the row's nonce must be the one that is there.
      if (!nonce.equals(this.#nonce)) throw new AgeError('payload_corrupt', 'the payload does not begin with its nonce')
      const total = await this.#total.digest(this.partCount, (index) => this.#readPart(index))
      this.#segment.confirm()
      return total
    })
  }

  /** Moves the object into its place, durably; again is a no-op. Throws `incomplete` if a part was never written. */
  finish(): Promise<void> {
    return this.#alone(async () => {
      if (this.#finished) return
      await this.#segment.finish()
      this.#finished = true
    })
  }

  /**
   * Deletes what was written, finished by an earlier process or not. Refused (`conflict`) after `finish` has resolved
   * here: then a row may count on the object, and only `store.remove` is meant to take it away.
   */
  discard(): Promise<void> {
    return this.#alone(async () => {
      if (this.#finished) throw new StorageError('conflict', 'the upload is finished')
      await this.#segment.discard()
      if (this.#segment.finished) await this.#place.store.remove(this.#place.key)
    })
  }

  /** Lets go of the files; the upload can be resumed. */
  close(): Promise<void> {
    return this.#alone(() => this.#segment.close())
  }

  async #sealPart(index: number, { plain, hash }: PlainPart, accepted: () => void): Promise<void> {
    const { buffers } = this.#place
    const segment = this.#segment
    const sealedBytes = payloadSize(plain.length) - payloadNonceBytes
    const buffer = buffers.take(sealedBytes)
    try {
      const pieces = piecesOf(plain, (index * this.#place.partSize) / chunkBytes, index === this.partCount - 1)
      const isFresh = await segment.isUntouched(chunkOffset(pieces[0]!.firstChunk), sealedBytes)
      // All of them before the first is written: half a part must not be sealed over another one's hole.
      const isThere = !isFresh && (await this.#areWritten(pieces, buffer))
      accepted()
      if (isThere && segment.finished) return
      await this.#writePieces(pieces, buffer, () => this.#hashTotal(index, { plain, hash }))
      await segment.sync()
    } finally {
      buffers.give(buffer)
    }
  }

  /** Each is on its way to the disk while the next is sealed. Nothing is under way any more when this ends. */
  async #writePieces(pieces: readonly Piece[], buffer: Buffer, meanwhile: () => Promise<void>): Promise<void> {
    const writes: Promise<void>[] = []
    try {
      let filled = 0
      for (const piece of pieces) {
        const sealed = sealPiece(this.#key, piece, buffer.subarray(filled))
        filled += sealed.length
        const write =
          piece.firstChunk === 0
            ? this.#segment.writeAt(0, [this.#nonce, sealed])
            : this.#segment.writeAt(chunkOffset(piece.firstChunk), [sealed])
        // Looked at when all have ended.
        write.catch(() => undefined)
        writes.push(write)
        // Lets the writes begin, and others have their turn.
        await nextTurn()
      }
      await meanwhile()
    } finally {
      await Promise.allSettled(writes)
    }
    await Promise.all(writes)
  }

  /** While the disk is busy with this part. What cannot be read back now is looked at again by `verifyTotal`. */
  async #hashTotal(index: number, part: PlainPart): Promise<void> {
    const isThere = (other: number) => this.#parts.get(other)?.durable === true
    const reading = (other: number) => this.#readPart(other)
    await this.#total.take(index, part, isThere, reading).catch(() => undefined)
  }

  async *#readPart(index: number): AsyncGenerator<Buffer> {
    const { size, partSize } = this.#place
    const start = index * partSize
    const readAt = (offset: number, length: number, into: Buffer) => this.#segment.read(offset, length, into)
    for await (const piece of openRange(readAt, this.#key, { size, start, end: start + this.partBytes(index) })) {
      yield piece
      releaseMemory(piece)
    }
  }

  /**
   * Whether exactly these bytes are there. Throws `conflict` if a byte that was written differs. A zero counts as
   * not written, since a killed write leaves holes, and where there is a hole no sealed byte was given away.
   */
  async #areWritten(pieces: readonly Piece[], buffer: Buffer): Promise<boolean> {
    const found = this.#place.buffers.take(sealedPieceBytes)
    try {
      let same = true
      for (const piece of pieces) {
        const wanted = sealPiece(this.#key, piece, buffer)
        const there = await this.#segment.read(chunkOffset(piece.firstChunk), wanted.length, found)
        if (there.equals(wanted)) continue
        same = false
        if (differsWhereWritten(there, wanted))
          throw new StorageError('conflict', 'other bytes were stored for this part')
      }
      return same
    } finally {
      this.#place.buffers.give(found)
    }
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(work)
    this.#last = run.catch(() => undefined)
    return run
  }
}

const openSegment = ({ store, key, size }: UploadPlace): Promise<SegmentWriter> =>
  store.openSegmented(key, { size: payloadSize(size) })

const assertPartSize = (partSize: number): void => {
  if (!Number.isSafeInteger(partSize) || partSize <= 0 || partSize % chunkBytes !== 0) {
    throw new RangeError('the part size must be a multiple of 64 KiB')
  }
}
