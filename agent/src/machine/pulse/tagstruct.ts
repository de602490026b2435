/**
 * Values as PulseAudio's native protocol writes them: a letter for the kind, then the value, big-endian
 * (`src/pulsecore/tagstruct.c` of PulseAudio).
 */
const tagged = (tag: string, ...rest: Buffer[]): Buffer => Buffer.concat([Buffer.from(tag, 'latin1'), ...rest])

const word = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

export const u32 = (value: number): Buffer => tagged('L', word(value))
export const u8 = (value: number): Buffer => tagged('B', Buffer.from([value]))
export const flag = (value: boolean): Buffer => tagged(value ? '1' : '0')
export const text = (value: string): Buffer => tagged('t', Buffer.from(`${value}\0`))
export const bytes = (value: Buffer): Buffer => tagged('x', word(value.length), value)

/** Signed 16-bit little-endian, one channel. */
export const monoSpec = (rate: number): Buffer => tagged('a', Buffer.from([3, 1]), word(rate))
export const monoMap: Buffer = tagged('m', Buffer.from([1, 0]))
/** Full volume of one channel. */
export const monoVolume: Buffer = tagged('v', Buffer.from([1]), word(0x1_0000))

export const properties = (values: Readonly<Record<string, string>>): Buffer => {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    const content = Buffer.from(`${value}\0`)
    return [text(name), u32(content.length), bytes(content)]
  })
  return tagged('P', ...pairs, tagged('N'))
}

/** Bytes after the letter, of the kinds that have a fixed length and are only passed over. */
const lengths: Readonly<Record<string, number>> = { R: 8, r: 8, T: 8, U: 8, a: 6, V: 4 }

/** Reads the values of a message one after the other. Throws a RangeError at its end, and an Error at an unknown kind. */
export class TagReader {
  readonly #from: Buffer
  #at = 0

  constructor(from: Buffer) {
    this.#from = from
  }

  /** A number or a text, `null` for a text that is not there, `undefined` for a value of another kind, which is passed over. */
  next(): number | string | null | undefined {
    const tag = String.fromCharCode(this.#from.readUInt8(this.#at))
    this.#at += 1
    if (tag === 'L') return this.#word()
    if (tag === 'B') return this.#byte()
    if (tag === 't') return this.#text()
    if (tag === 'N') return null
    this.#pass(tag)
    return undefined
  }

  /** The next value, which has to be a number. */
  number(): number {
    const value = this.next()
    if (typeof value !== 'number') throw new Error('the sound server says something else than a number')
    return value
  }

  /** The next value, which has to be yes or no. */
  flag(): boolean {
    const tag = String.fromCharCode(this.#from.readUInt8(this.#at))
    if (tag !== '0' && tag !== '1') throw new Error('the sound server says something else than yes or no')
    this.#at += 1
    return tag === '1'
  }

  get atEnd(): boolean {
    return this.#at >= this.#from.length
  }

  /** Passes over values. */
  skip(values: number): void {
    for (let passed = 0; passed < values; passed += 1) this.next()
  }

  /** The next value, which has to be a list of properties. */
  properties(): Map<string, string> {
    if (String.fromCharCode(this.#from.readUInt8(this.#at)) !== 'P')
      throw new Error('the sound server says no properties')
    this.#at += 1
    const values = new Map<string, string>()
    for (let name = this.next(); name !== null; name = this.next()) {
      const length = this.number()
      // The letter and the length of the bytes, which end with a zero.
      const from = this.#at + 5
      if (from + length > this.#from.length) throw new RangeError('a property without an end')
      if (typeof name === 'string') values.set(name, this.#from.toString('utf8', from, from + Math.max(0, length - 1)))
      this.next()
    }
    return values
  }

  #byte(): number {
    this.#at += 1
    return this.#from.readUInt8(this.#at - 1)
  }

  #word(): number {
    this.#at += 4
    return this.#from.readUInt32BE(this.#at - 4)
  }

  #text(): string {
    const end = this.#from.indexOf(0, this.#at)
    if (end < 0) throw new RangeError('a text without an end')
    const value = this.#from.toString('utf8', this.#at, end)
    this.#at = end + 1
    return value
  }

  #pass(tag: string): void {
    const fixed = lengths[tag]
    if (fixed !== undefined) this.#skip(fixed)
    else if (tag === 'm') this.#skip(this.#byte())
    else if (tag === 'v') this.#skip(4 * this.#byte())
    else if (tag === 'x') this.#skip(this.#word())
    // A format is its number and its properties, which are pairs up to a text that is not there.
    else if (tag === 'f') this.#passPair()
    else if (tag === 'P') while (this.next() !== null) this.#passPair()
    else if (tag !== '0' && tag !== '1') throw new Error('the sound server says something unknown')
  }

  #skip(length: number): void {
    this.#at += length
  }

  #passPair(): void {
    this.next()
    this.next()
  }
}
