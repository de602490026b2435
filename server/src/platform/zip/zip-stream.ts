import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import { dataDescriptor, localHeader, type ZipMember, zipDirectory } from './zip.ts'

export interface StreamedMember {
  /** ASCII, without a leading slash. */
  readonly name: string
  readonly bytes: AsyncIterable<Buffer | string>
  /** Pictures, sound and films are small already. */
  readonly isSmall?: boolean
}

interface Sums {
  size: number
  crc32: number
}

async function* summed(bytes: StreamedMember['bytes'], sums: Sums): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    const buffer = Buffer.from(piece)
    sums.size += buffer.length
    sums.crc32 = crc32(buffer, sums.crc32)
    yield buffer
  }
}

/** Every member is deflated, also what does not become smaller: there are readers that take no other member of unknown size. */
async function* deflated(bytes: AsyncIterable<Buffer>, isSmall: boolean): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: isSmall ? 0 : 6 })
  // What fails on the way destroys the stream, and so the loop below throws it.
  pipeline(Readable.from(bytes), deflate, () => undefined)
  for await (const piece of deflate) yield piece as Buffer
}

/**
 * A ZIP file of members that are read one after the other while it is written: of all of them together nothing is held but
 * their names and sums. What a member throws ends the file without its directory, so that nobody takes it for whole.
 */
export async function* zipStream(members: AsyncIterable<StreamedMember>): AsyncGenerator<Buffer> {
  const placed: (ZipMember & { offset: number })[] = []
  let written = 0
  const count = (piece: Buffer): Buffer => {
    written += piece.length
    return piece
  }
  for await (const { name, bytes, isSmall = false } of members) {
    const offset = written
    yield count(localHeader({ name, size: 0, crc32: 0, packed: 0 }))
    const sums: Sums = { size: 0, crc32: 0 }
    const begin = written
    for await (const piece of deflated(summed(bytes, sums), isSmall)) yield count(piece)
    const member = { name, ...sums, packed: written - begin }
    yield count(dataDescriptor(member))
    placed.push({ ...member, offset })
  }
  yield zipDirectory(placed, written)
}
