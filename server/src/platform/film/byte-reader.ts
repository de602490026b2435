import type { Readable } from 'node:stream'
import { releaseMemory } from '../release-memory.ts'

/** Takes pieces of a wanted size from a stream, and leaves the rest in it: the writer waits while nobody reads. */
export class ByteReader {
  readonly #iterator: AsyncIterator<Buffer>
  #piece: Buffer = Buffer.alloc(0)
  #rest: Buffer = this.#piece
  #ended = false

  constructor(stream: Readable) {
    this.#iterator = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  /** Fills `into` and returns how many bytes came: fewer only at the end of the stream, or where it broke. */
  async fill(into: Buffer): Promise<number> {
    let filled = 0
    while (filled < into.length) {
      if (this.#rest.length === 0 && !(await this.#more())) break
      const taken = this.#rest.copy(into, filled)
      this.#rest = this.#rest.subarray(taken)
      filled += taken
    }
    return filled
  }

  async #more(): Promise<boolean> {
    if (this.#ended) return false
    releaseMemory(this.#piece)
    try {
      const { value, done } = await this.#iterator.next()
      if (!done) {
        this.#piece = value
        this.#rest = value
        return true
      }
    } catch {
      // A stream that was destroyed has no more to say than one that ended.
    }
    this.#ended = true
    return false
  }
}
