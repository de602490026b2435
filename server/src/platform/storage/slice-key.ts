import type { ObjectReader } from './types.ts'

/** A stretch of a stored object, which holds several things behind each other. */
export interface Slice {
  readonly key: string
  readonly from: number
  readonly length: number
}

/** `<key>@<from>+<length>`, in bytes: what can be opened like an object of its own, and only opened. */
export const sliceKey = ({ key, from, length }: Slice): string => `${key}@${from}+${length}`

const pattern = /^([^@]+)@(\d{1,15})\+(\d{1,15})$/

/** Undefined for the key of a whole object. */
export const readSliceKey = (text: string): Slice | undefined => {
  const [, key, from, length] = pattern.exec(text) ?? []
  return key === undefined ? undefined : { key, from: Number(from), length: Number(length) }
}

/** The key of the object that the bytes are in. */
export const wholeKey = (text: string): string => readSliceKey(text)?.key ?? text

/** A stretch of an open object as one of its own. Closing it closes the object. */
export class SliceReader implements ObjectReader {
  readonly #whole: ObjectReader
  readonly #slice: Slice
  /** What is there of the stretch; less than was said where the object is shorter. */
  readonly size: number

  constructor(whole: ObjectReader, slice: Slice) {
    this.#whole = whole
    this.#slice = slice
    this.size = Math.max(0, Math.min(slice.length, whole.size - slice.from))
  }

  async read(offset: number, length: number, into?: Buffer): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, this.size - offset))
    return this.#whole.read(this.#slice.from + offset, wanted, into)
  }

  close(): Promise<void> {
    return this.#whole.close()
  }
}
