import { randomBytes, randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  chunkBytes,
  openRange,
  payloadKey,
  payloadNonceBytes,
  sealChunks,
  sealedChunkBytes,
} from '../crypto/age-stream.ts'

const chunksPerWrite = 16
const prefix = 'film-'
const suffix = '.sealed'

/**
 * Bytes waiting on the disk, encrypted (age's STREAM of ChaCha20-Poly1305) under a key that lives in this process only.
 * The file has no name once it is open, so the system takes it back when the process ends, however it ends.
 */
export class SealedFile {
  readonly #file: FileHandle
  readonly #key = payloadKey(randomBytes(32), randomBytes(payloadNonceBytes))
  readonly #plain = Buffer.allocUnsafe(chunksPerWrite * chunkBytes)
  readonly #sealed = Buffer.allocUnsafe(chunksPerWrite * sealedChunkBytes)
  #filled = 0
  #chunks = 0
  #size = 0
  #closed: Promise<void> | undefined

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async create(directory: string): Promise<SealedFile> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const path = join(directory, `${prefix}${randomUUID()}${suffix}`)
    const file = await open(path, 'wx+', 0o600)
    await rm(path, { force: true })
    return new SealedFile(file)
  }

  /** Plain bytes so far. */
  get size(): number {
    return this.#size
  }

  async append(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      // Written only when more follows: the last chunk of all is sealed as the last.
      if (this.#filled === this.#plain.length) await this.#write(false)
      const piece = bytes.subarray(taken, taken + this.#plain.length - this.#filled)
      this.#plain.set(piece, this.#filled)
      this.#filled += piece.length
      taken += piece.length
    }
    this.#size += bytes.length
  }

  /** Writes what is left. Nothing can be appended after it, and nothing read before it. */
  finish(): Promise<void> {
    return this.#write(true)
  }

  async #write(isLast: boolean): Promise<void> {
    const sealed = sealChunks(this.#key, this.#chunks, this.#plain.subarray(0, this.#filled), isLast, this.#sealed)
    // The payload's offsets leave room for a nonce; this key needs none of its own.
    const position = payloadNonceBytes + this.#chunks * sealedChunkBytes
    let written = 0
    while (written < sealed.length) {
      const { bytesWritten } = await this.#file.write(sealed, written, sealed.length - written, position + written)
      written += bytesWritten
    }
    this.#chunks += chunksPerWrite
    this.#filled = 0
  }

  /** The plain bytes, or a range of them. Throws `AgeError('payload_corrupt')` where the file was changed. */
  read({ start = 0, end = this.#size }: { start?: number; end?: number } = {}): AsyncIterable<Buffer> {
    const readAt = async (offset: number, length: number, into: Buffer): Promise<Buffer> => {
      const { bytesRead } = await this.#file.read(into, 0, length, offset)
      return into.subarray(0, bytesRead)
    }
    return openRange(readAt, this.#key, { size: this.#size, start, end })
  }

  /** Gives the file back to the system. */
  discard(): Promise<void> {
    this.#plain.fill(0)
    this.#closed ??= this.#file.close()
    return this.#closed
  }
}

/**
 * Removes what a process left that was killed in the moment between opening a file and taking its name away, or on a
 * system that keeps the name. A film that is being rendered does not need its file's name, so this disturbs none.
 */
export const clearFilmTemp = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch(() => [])
  const left = names.filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
  await Promise.all(left.map((name) => rm(join(directory, name), { force: true })))
}
