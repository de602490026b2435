import type { Recording } from './media.types.ts'

/** Some bytes of a recording at a place; none where it ends, and none beyond its first megabytes. */
export type Look = (at: number, length: number) => Promise<Buffer>

/** How many bytes a read has, and how many reads there may be: each is a request to a bucket. */
const stretchBytes = 256 * 1024
const mostReads = 32
/** How often is looked: millions of empty elements fit into those bytes, and each would keep the process from all else. */
const mostLooks = 50_000

export const lookInto = ({ read, sizeBytes }: Recording): Look => {
  let bytes: Buffer = Buffer.alloc(0)
  let [from, reads, looks] = [0, 0, 0]
  return async (at, length) => {
    // What a length in the file says may be behind its end, where a store reads nothing.
    if (at >= sizeBytes || ++looks > mostLooks) return Buffer.alloc(0)
    if (at < from || at + length > from + bytes.length) {
      reads += 1
      bytes = reads > mostReads ? Buffer.alloc(0) : await read(at, stretchBytes)
      from = at
    }
    return bytes.subarray(at - from, at - from + length)
  }
}
