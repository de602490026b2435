import { releaseMemory } from '../release-memory.ts'

/**
 * Large buffers used again and again, of one size. Allocating 4 MiB for each part costs page faults and garbage
 * collection; a pool shared by all uploads costs what the busiest moment needed, up to `keep` buffers at rest.
 */
export class BufferPool {
  readonly bufferBytes: number
  readonly #keep: number
  readonly #free: Buffer[] = []

  constructor(bufferBytes: number, keep: number) {
    this.bufferBytes = bufferBytes
    this.#keep = keep
  }

  /** At least `length` bytes with undefined content. What does not fit the pool is allocated for the occasion. */
  take(length: number): Buffer {
    if (length > this.bufferBytes) return Buffer.allocUnsafeSlow(length)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(this.bufferBytes)
  }

  /** Hands a buffer back; whoever had it must not touch it any more. One that the pool does not keep is freed at once. */
  give(buffer: Buffer): void {
    if (buffer.length === this.bufferBytes && this.#free.length < this.#keep) this.#free.push(buffer)
    else releaseMemory(buffer)
  }
}
