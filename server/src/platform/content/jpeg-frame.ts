import { isTurnedBy } from './exif-turned.ts'

/** A colour of a picture: how it is sampled, and which of its coefficients a scan has brought to their last bit. */
interface Component {
  readonly across: number
  readonly down: number
  readonly seen: Set<number>
}

/** What the markers of a JPEG (ITU-T T.81) say of its picture. */
export interface JpegFrame {
  readonly width: number
  readonly height: number
  /** EXIF says that it is shown on its side. */
  readonly turned: boolean
  /** Scans of refinement follow each other, so that no part of the picture is whole before the last. */
  readonly progressive: boolean
  readonly scans: number
  readonly colours: number
  /** Where the coded data of the last scan end. */
  readonly end: number
  /** An end mark follows there. */
  readonly ended: boolean
  /** Every component was brought, every coefficient to its last bit, and with all the restart marks that were announced. */
  readonly complete: boolean
}

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
/** Huffman or arithmetic, sequential or progressive; not the tables that lie among these numbers (DHT, JPG, DAC). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isProgressive = (marker: number): boolean => [0xc2, 0xc6, 0xca, 0xce].includes(marker)

/** Bytes of 0xff that fill up before a marker are none of the data. */
const withoutFill = (bytes: Buffer, end: number): number => {
  let at = end
  while (bytes[at - 1] === 0xff) at -= 1
  return at
}

/** Where the coded data that begin at `from` end: at a marker that is neither a stuffed byte nor a restart. */
const endOfScan = (bytes: Buffer, from: number): { end: number; restarts: number } => {
  let restarts = 0
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]!
    if (isRestart(next)) restarts += 1
    else if (next !== 0 && next !== 0xff) return { end: withoutFill(bytes, at), restarts }
  }
  return { end: withoutFill(bytes, bytes.length), restarts }
}

const isEndMark = (bytes: Buffer, from: number): boolean => {
  let at = from
  while (bytes[at + 1] === 0xff) at += 1
  return bytes[at] === 0xff && bytes[at + 1] === 0xd9
}

/** Walks a JPEG from marker to marker. */
class Walk {
  #width = 0
  #height = 0
  #every = 0
  #components = new Map<number, Component>()
  #scans = 0
  #restartsFit = true
  #progressive = false
  #turned = false

  frame(marker: number, body: Buffer): void {
    this.#progressive = isProgressive(marker)
    this.#height = body.readUInt16BE(1)
    this.#width = body.readUInt16BE(3)
    for (let at = 6; at + 2 < body.length; at += 3) {
      const sampling = body[at + 1]!
      this.#components.set(body[at]!, { across: sampling >> 4, down: sampling & 15, seen: new Set() })
    }
  }

  exif(body: Buffer): void {
    this.#turned ||= isTurnedBy(body)
  }

  restartEvery(body: Buffer): void {
    this.#every = body.readUInt16BE(0)
  }

  scan(body: Buffer, restarts: number): void {
    this.#scans += 1
    const named = Array.from({ length: body[0] ?? 0 }, (_, n) => this.#components.get(body[1 + 2 * n]!))
    const components = named.filter((component) => component !== undefined)
    // What a sequential scan says of coefficients means nothing, and some cameras write something else there.
    const [first, last, bits] = this.#progressive ? [...body.subarray(-3)] : [0, 63, 0]
    if (((bits ?? 0) & 15) === 0)
      for (const { seen } of components) for (let n = first ?? 0; n <= (last ?? 63); n++) seen.add(n)
    if (this.#every > 0 && restarts < Math.ceil(this.#unitsOf(components) / this.#every) - 1) this.#restartsFit = false
  }

  /** Units of coded data of a scan: blocks of its only component, or groups of blocks of all. */
  #unitsOf(components: readonly Component[]): number {
    const most = (of: (component: Component) => number) => Math.max(1, ...[...this.#components.values()].map(of))
    const [across, down] = [most((one) => one.across), most((one) => one.down)]
    const [only, ...more] = components
    if (!only || more.length > 0) return Math.ceil(this.#width / (8 * across)) * Math.ceil(this.#height / (8 * down))
    const blocks = (size: number, of: number, outOf: number) => Math.ceil(Math.ceil((size * of) / outOf) / 8)
    return blocks(this.#width, only.across, across) * blocks(this.#height, only.down, down)
  }

  told(end: number, ended: boolean): JpegFrame {
    const whole = [...this.#components.values()].every(({ seen }) => seen.size >= 64)
    const complete = this.#scans > 0 && whole && this.#restartsFit
    const colours = this.#components.size
    const size = { width: this.#width, height: this.#height, turned: this.#turned }
    return { ...size, progressive: this.#progressive, scans: this.#scans, colours, end, ended, complete }
  }
}

/** Reads the markers as far as they go; undefined where the bytes end before the picture begins. */
export const readJpegFrame = (bytes: Buffer): JpegFrame | undefined => {
  const walk = new Walk()
  let end = 0
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && at + 3 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1]!
    if (marker === 0xd9) break
    if (marker === 0xff || marker < 0xc0 || isRestart(marker)) {
      at += 1
      continue
    }
    const next = at + 2 + bytes.readUInt16BE(at + 2)
    const body = bytes.subarray(at + 4, next)
    if (next > bytes.length || body.length < 2) break
    at = next
    if (isFrame(marker) && body.length >= 9) walk.frame(marker, body)
    if (marker === 0xe1) walk.exif(body)
    if (marker === 0xdd) walk.restartEvery(body)
    if (marker !== 0xda) continue
    const coded = endOfScan(bytes, next)
    walk.scan(body, coded.restarts)
    at = end = coded.end
  }
  return end === 0 ? undefined : walk.told(end, isEndMark(bytes, end))
}
