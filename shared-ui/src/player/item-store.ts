import type { Finding } from './checking.ts'

/** An item that has arrived. It has bytes only where it fits what commits to it. */
export interface KeptItem {
  readonly id: string
  readonly contentType: string
  readonly finding: Finding
  /** Why there is nothing to show: `erased`, `withheld`, `not_made`, `being_made`, `unreadable`. */
  readonly absent?: string | undefined
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What is kept costs its bytes and a little, so that many absent ones are not free. */
const beside = 512

/** Items by id, up to so many bytes: what was used least recently goes first. */
export class ItemStore {
  readonly #most: number
  readonly #items = new Map<string, KeptItem>()
  #size = 0
  /** Told of each item that is no longer kept. */
  onGone: (id: string) => void = () => undefined

  constructor(mostBytes: number) {
    this.#most = mostBytes
  }

  get size(): number {
    return this.#size
  }

  has(id: string): boolean {
    return this.#items.has(id)
  }

  /** Counts as a use. */
  get(id: string): KeptItem | undefined {
    const item = this.#items.get(id)
    if (item) {
      this.#items.delete(id)
      this.#items.set(id, item)
    }
    return item
  }

  /** Keeps it, and lets go of what was used least recently, but of none that is `needed`. */
  put(item: KeptItem, needed: (id: string) => boolean): void {
    this.#forget(item.id)
    this.#items.set(item.id, item)
    this.#size += item.bytes.length + beside
    for (const id of [...this.#items.keys()]) {
      if (this.#size <= this.#most) return
      if (id === item.id || needed(id)) continue
      this.#forget(id)
      this.onGone(id)
    }
  }

  clear(): void {
    for (const id of [...this.#items.keys()]) {
      this.#forget(id)
      this.onGone(id)
    }
  }

  #forget(id: string): void {
    const item = this.#items.get(id)
    if (!item) return
    this.#items.delete(id)
    this.#size -= item.bytes.length + beside
  }
}
