/** A frame of a reel as it came. */
export interface RawFrame {
  readonly head: Readonly<Record<string, unknown>>
  readonly body: Uint8Array<ArrayBuffer>
}

/** What came is no frames. */
export class BrokenReel extends Error {
  override readonly name = 'BrokenReel'
}

const lengthBytes = 4
const mostHead = 64 * 1024
const mostBody = 64 * 1024 * 1024

/** Takes frames out of a body while it arrives: for each a 4-byte length and the head (JSON), a 4-byte length and the bytes. */
export class FrameReader {
  #waiting: Uint8Array<ArrayBuffer>[] = []
  #size = 0

  /** The frames that are whole with this piece. Throws `BrokenReel`. */
  push(piece: Uint8Array<ArrayBuffer>): RawFrame[] {
    this.#waiting.push(piece)
    this.#size += piece.length
    const found: RawFrame[] = []
    for (let frame = this.#take(); frame; frame = this.#take()) found.push(frame)
    return found
  }

  /** Throws `BrokenReel` where something is left, as then it has broken off. */
  end(): void {
    if (this.#size > 0) throw new BrokenReel('the reel breaks off within a frame')
  }

  #take(): RawFrame | undefined {
    const headLength = this.#lengthAt(0, mostHead)
    if (headLength === undefined) return undefined
    const bodyLength = this.#lengthAt(lengthBytes + headLength, mostBody)
    const whole = lengthBytes + headLength + lengthBytes + (bodyLength ?? 0)
    if (bodyLength === undefined || this.#size < whole) return undefined
    const bytes = this.#joined()
    const head = this.#parsed(bytes.subarray(lengthBytes, lengthBytes + headLength))
    // A copy of its own, so that one kept item does not keep the whole answer.
    const body = bytes.slice(whole - bodyLength, whole)
    this.#waiting = [bytes.subarray(whole)]
    this.#size -= whole
    return { head, body }
  }

  #lengthAt(at: number, most: number): number | undefined {
    if (this.#size < at + lengthBytes) return undefined
    const bytes = (this.#waiting[0]?.length ?? 0) >= at + lengthBytes ? this.#waiting[0]! : this.#joined()
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)
    if (length > most) throw new BrokenReel(`a part of a frame has ${length} bytes`)
    return length
  }

  #joined(): Uint8Array<ArrayBuffer> {
    const [first, ...others] = this.#waiting
    if (first && others.length === 0) return first
    const joined = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#waiting) {
      joined.set(piece, at)
      at += piece.length
    }
    this.#waiting = [joined]
    return joined
  }

  #parsed(head: Uint8Array): RawFrame['head'] {
    try {
      const value: unknown = JSON.parse(new TextDecoder().decode(head))
      if (typeof value === 'object' && value !== null) return value as RawFrame['head']
    } catch {
      // Said below.
    }
    throw new BrokenReel('the head of a frame is no object')
  }
}
