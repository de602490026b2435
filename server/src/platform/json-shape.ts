/** What a JSON text may hold. */
export interface JsonBounds {
  /** How deep objects and lists stand within each other. */
  readonly maxDepth: number
  /** Objects, lists, texts, numbers and words, all together: parsing costs by these, and hardly by their length. */
  readonly maxValues: number
  /** Names of one object, each of which costs more than another item of a list; absent: as many as values. */
  readonly maxNames?: number
}

/** So far a text is walked by hand; the end of a longer one is searched for. */
const nearBytes = 64

/** Where a text ends whose first byte is at `start`; the end of the bytes where it does not. */
const endOfText = (bytes: Uint8Array, start: number): number => {
  let at = start
  for (;;) {
    const near = Math.min(at + nearBytes, bytes.length)
    for (; at < near; at++) {
      const byte = bytes[at]
      if (byte === 0x22) return at
      if (byte === 0x5c) at++
    }
    const quote = bytes.indexOf(0x22, at)
    if (quote === -1) return bytes.length
    let slashes = 0
    while (quote - slashes > at && bytes[quote - slashes - 1] === 0x5c) slashes++
    if (slashes % 2 === 0) return quote
    at = quote + 1
  }
}

/**
 * What of a JSON text is more than it may be, found in one pass over its bytes before anything is built of them. Of bytes that
 * are no JSON it says what it says of JSON with these brackets and commas.
 */
export const excessOf = (
  bytes: Uint8Array,
  { maxDepth, maxValues, maxNames = maxValues }: JsonBounds,
): keyof JsonBounds | undefined => {
  let depth = 0
  /** How many more may follow in what is open, by its depth. */
  const left: number[] = []
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === 0x22) at = endOfText(bytes, at + 1)
    else if (byte === 0x2c) {
      if (++values > maxValues) return 'maxValues'
      if (--left[depth]! < 1) return 'maxNames'
    }
    // One bit tells [ from {, and ] from }.
    else if ((byte | 0x20) === 0x7b) {
      if (++depth > maxDepth) return 'maxDepth'
      if (++values > maxValues) return 'maxValues'
      left[depth] = byte === 0x7b ? maxNames : Number.POSITIVE_INFINITY
    } else if ((byte | 0x20) === 0x7d) depth--
  }
  return undefined
}
