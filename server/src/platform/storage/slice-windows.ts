import { readSliceKey, SliceReader } from './slice-key.ts'
import type { ObjectReader, ObjectStore } from './types.ts'

/** Bytes that nobody asked for, between slices that are read at once, for each byte that somebody did. */
const mostWaste = 0.5
/** So many cost less than another request of a provider, however little somebody asked for. */
const cheapBytes = 256 * 1024

interface Window {
  readonly from: number
  readonly length: number
  /** Slices that were not opened yet. */
  left: number
  read: Promise<Stretch> | undefined
}

interface Stretch {
  readonly bytes: Buffer
  /** Of the whole object. */
  readonly size: number
}

/** A stretch of an object that is in memory already, by offsets of the object. */
class StretchReader implements ObjectReader {
  readonly #bytes: Buffer
  readonly #from: number
  readonly size: number

  constructor({ bytes, size }: Stretch, from: number) {
    this.#bytes = bytes
    this.#from = from
    this.size = size
  }

  async read(offset: number, length: number, into?: Buffer): Promise<Buffer> {
    const found = this.#bytes.subarray(offset - this.#from, offset - this.#from + length)
    if (!into) return Buffer.from(found)
    found.copy(into)
    return into.subarray(0, found.length)
  }

  async close(): Promise<void> {}
}

/**
 * Opens each of these slices once. Those that lie close together in one object are read by one request of the store, however
 * many they are, and forgotten with the last of them.
 */
export class SliceWindows implements Pick<ObjectStore, 'open'> {
  readonly #store: Pick<ObjectStore, 'open'>
  readonly #windows = new Map<string, Window>()

  constructor(store: Pick<ObjectStore, 'open'>, keys: readonly string[]) {
    this.#store = store
    const slices = keys.map(readSliceKey).filter((slice) => slice !== undefined)
    for (const [key, own] of Map.groupBy(slices, (slice) => slice.key)) {
      const from = Math.min(...own.map((slice) => slice.from))
      const length = Math.max(...own.map((slice) => slice.from + slice.length)) - from
      const wanted = own.reduce((sum, slice) => sum + slice.length, 0)
      if (own.length > 1 && length <= wanted + Math.max(wanted * mostWaste, cheapBytes))
        this.#windows.set(key, { from, length, left: own.length, read: undefined })
    }
  }

  async open(key: string): Promise<ObjectReader> {
    const slice = readSliceKey(key)
    const window = slice && this.#windows.get(slice.key)
    if (!window) return this.#store.open(key)
    window.left -= 1
    if (window.left === 0) this.#windows.delete(slice.key)
    window.read ??= this.#read(slice.key, window)
    return new SliceReader(new StretchReader(await window.read, window.from), slice)
  }

  async #read(key: string, { from, length }: Window): Promise<Stretch> {
    const reader = await this.#store.open(key, { from, length })
    try {
      return { bytes: await reader.read(from, length), size: reader.size }
    } finally {
      await reader.close()
    }
  }
}
