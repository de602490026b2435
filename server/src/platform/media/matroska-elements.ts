/** What every file begins with, and what holds the rest. */
export const elementIds = { head: 0x1a45dfa3, segment: 0x18538067, cluster: 0x1f43b675 } as const

export interface Element {
  readonly id: number
  readonly from: number
  /** Infinity: as long as what holds it. */
  readonly to: number
}

/** A number of one to eight bytes, of which the first says how many (RFC 8794, section 4); with or without what says so. */
const readNumber = (
  bytes: Buffer,
  at: number,
  keepMark: boolean,
): readonly [value: number, length: number] | undefined => {
  const length = Math.clz32(bytes[at] ?? 0) - 23
  if (length > 8 || at + length > bytes.length) return undefined
  let value = keepMark ? bytes[at]! : bytes[at]! & (0xff >> length)
  let isUnknown = (bytes[at]! | ((0xff00 >> length) & 0xff)) === 0xff
  for (let n = 1; n < length; n++) {
    value = value * 256 + bytes[at + n]!
    isUnknown &&= bytes[at + n] === 0xff
  }
  return [isUnknown && !keepMark ? Infinity : value, length]
}

/** The element that begins at a place: where what it holds begins and ends. */
export const elementAt = (bytes: Buffer, at: number): Element | undefined => {
  const id = readNumber(bytes, at, true)
  const size = id && readNumber(bytes, at + id[1], false)
  if (!size) return undefined
  const from = at + id[1] + size[1]
  return { id: id[0], from, to: from + size[0] }
}

export function* elementsIn(bytes: Buffer, from: number, to: number): Generator<Element> {
  for (let at = from; at < Math.min(to, bytes.length); ) {
    const element = elementAt(bytes, at)
    if (!element) return
    yield element
    at = element.to
  }
}
