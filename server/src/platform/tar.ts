import { buffer } from 'node:stream/consumers'

const block = 512

export interface TarFile {
  /** At most 100 bytes, in ASCII. */
  readonly name: string
  readonly bytes: Buffer
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`

/** Of a long name the folders stand in a field of their own. */
const splitName = (name: string): [folders: string, rest: string] => {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  const slash = name.indexOf('/', Math.max(0, name.length - 101))
  const [folders, rest] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash < 1 || Buffer.byteLength(folders) > 155) throw new RangeError(`${name} is too long a name`)
  return [folders, rest]
}

/** A header as POSIX.1-1988 has it (ustar). Its time is the epoch, so that the same files give the same bytes. */
export const tarHeader = (name: string, size: number): Buffer => {
  const head = Buffer.alloc(block)
  const [folders, rest] = splitName(name)
  head.write(rest, 0)
  head.write(folders, 345)
  head.write(octal(0o644, 8), 100)
  head.write(octal(0, 8), 108)
  head.write(octal(0, 8), 116)
  head.write(octal(size, 12), 124)
  head.write(octal(0, 12), 136)
  head.write(' '.repeat(8), 148)
  head.write('0', 156)
  head.write('ustar\x0000', 257, 'latin1')
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

/** What fills up the last block of a file. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block)

export const tarEnd: Buffer = Buffer.alloc(2 * block)

export interface TarEntry {
  readonly name: string
  readonly size: number
  /** To be read before the next entry is asked for; what is not read is passed over. */
  readonly bytes: AsyncIterable<Buffer>
}

const textAt = (head: Buffer, at: number, length: number): string =>
  head.toString('utf8', at, at + length).replace(/\0.*$/s, '')

const parseHeader = (head: Buffer): { name: string; size: number } => {
  const [folders, name] = [textAt(head, 345, 155), textAt(head, 0, 100)]
  const size = Number.parseInt(textAt(head, 124, 12), 8)
  if (textAt(head, 257, 6) !== 'ustar' || !Number.isSafeInteger(size)) throw new Error('not a tar archive')
  return { name: folders === '' ? name : `${folders}/${name}`, size }
}

/** Takes bytes from a stream, as many as are asked for. */
class Taker {
  readonly #pieces: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#pieces = source[Symbol.asyncIterator]()
  }

  /** Up to `most` bytes, none only at the end. */
  async some(most: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const next = await this.#pieces.next()
      if (next.done) break
      this.#held = next.value
    }
    const taken = this.#held.subarray(0, most)
    this.#held = this.#held.subarray(taken.length)
    return taken
  }

  async *exactly(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0; ) {
      const piece = await this.some(left)
      if (piece.length === 0) throw new Error('the archive ends in the middle')
      left -= piece.length
      yield piece
    }
  }

  whole(length: number): Promise<Buffer> {
    return buffer(this.exactly(length))
  }
}

/** The files of an archive as it is read, and the rest of the stream to its end. */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const taker = new Taker(source)
  for (;;) {
    const head = await taker.whole(block)
    if (head.every((byte) => byte === 0)) break
    const { name, size } = parseHeader(head)
    const bytes = taker.exactly(size + tarPadding(size).length)
    let left = size
    const own = async function* (): AsyncGenerator<Buffer> {
      for await (const piece of bytes) {
        const part = piece.subarray(0, left)
        left -= part.length
        if (part.length > 0) yield part
      }
    }
    const reading = own()
    yield { name, size, bytes: reading }
    for await (const _ of reading);
  }
  while ((await taker.some(block)).length > 0);
}

/** An archive of these files, in their order. */
export const tarOf = (files: readonly TarFile[]): Buffer =>
  Buffer.concat([
    ...files.flatMap(({ name, bytes }) => [tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]),
    tarEnd,
  ])
