import { randomFillSync } from 'node:crypto'
import { idFromBytes } from '@integrity/protocol'

/** Makes ids: a kind prefix and a UUIDv7, so that rows made later sort later. Injected, so that tests can fix them. */
export type NewId = (prefix: string) => string

/** Random bytes by the page: asking the kernel for sixteen at a time costs more than the rest of an id. */
const page = Buffer.alloc(4096)
let used = page.length
const random = (length: number): Buffer => {
  if (used + length > page.length) {
    randomFillSync(page)
    used = 0
  }
  used += length
  return page.subarray(used - length, used)
}

/** A UUIDv7 (RFC 9562): 48 bits of milliseconds, then random bits; a counter keeps ids of one millisecond in order. */
const makeUuid7 = (now: () => number): (() => Uint8Array) => {
  let last = 0
  let counter = 0
  return () => {
    const at = now()
    if (at > last) {
      last = at
      counter = random(2).readUInt16BE() & 0x07ff
    } else if (++counter > 0x0fff) {
      // The 12-bit counter of this millisecond is used up: borrow the next one.
      last += 1
      counter = 0
    }
    const bytes = random(16)
    bytes.writeUIntBE(last, 0, 6)
    bytes.writeUInt16BE(0x7000 | counter, 6)
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes
  }
}

export const createIds = (now: () => number): NewId => {
  const uuid = makeUuid7(now)
  return (prefix) => idFromBytes(prefix, uuid())
}
