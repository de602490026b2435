import type { SpoolIndex } from './spool-index.ts'
import { chooseThinned } from './thinning.ts'
import { type QueuedItem, SpoolFull } from './types.ts'

const defaultMaxBytes = 2 * 1024 ** 3
const defaultMaxEventBytes = 64 * 1024 ** 2

export interface SpoolRoomOptions {
  readonly index: SpoolIndex
  readonly maxBytes: number | undefined
  readonly maxEventBytes: number | undefined
}

/** How many sealed bytes of items and of events there are, and may be. */
export class SpoolRoom {
  readonly #index: SpoolIndex
  readonly #maxBytes: number
  readonly #maxEventBytes: number
  #itemBytes = 0
  /** Of puts under way, which are not rows yet. */
  #reservedBytes = 0
  #eventBytes = 0
  #storedBytes = 0

  constructor({ index, maxBytes = defaultMaxBytes, maxEventBytes = defaultMaxEventBytes }: SpoolRoomOptions) {
    this.#index = index
    this.#maxBytes = maxBytes
    this.#maxEventBytes = maxEventBytes
    this.recount()
  }

  /** Sealed bytes taken in since this process started. */
  get storedBytes(): number {
    return this.#storedBytes
  }

  recount(): void {
    const usage = this.#index.usage()
    this.#itemBytes = usage.itemBytes
    this.#eventBytes = usage.eventBytes
  }

  /** Counts on these bytes while an item is written; the function that is given ends that. */
  reserve(bytes: number): () => void {
    this.#reservedBytes += bytes
    return () => {
      this.#reservedBytes -= bytes
    }
  }

  itemAdded(bytes: number): void {
    this.#itemBytes += bytes
    this.#storedBytes += bytes
  }

  /** Throws `SpoolFull` when the events' own room is used up. */
  addEvents(bytes: number, add: () => void): void {
    if (this.#eventBytes + bytes > this.#maxEventBytes) throw new SpoolFull('no room is left for events')
    add()
    this.#eventBytes += bytes
    this.#storedBytes += bytes
  }

  /** The stills that must go for `size` more bytes; those that are being sent stay. Throws `SpoolFull` when that is not enough. */
  stillsInTheWay(size: number, isSending: (clientId: string) => boolean): QueuedItem[] {
    const used = this.#itemBytes + this.#reservedBytes
    const over = used + size - this.#maxBytes
    if (over <= 0) return []
    const stills = this.#index.queuedStills().filter(({ clientId }) => !isSending(clientId))
    // A little more than needed, or each further put would thin again.
    const thinned = chooseThinned(stills, over + Math.min(this.#maxBytes * 0.02, 8 * 1024 ** 2))
    const freed = thinned.reduce((sum, still) => sum + still.fileBytes, 0)
    if (freed < over) throw new SpoolFull(`${used} of ${this.#maxBytes} bytes are used and nothing can be thinned`)
    return thinned
  }
}
