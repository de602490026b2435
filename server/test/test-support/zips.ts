import { crc32, inflateRawSync } from 'node:zlib'
import { localHeader, zipDirectory } from '../../src/platform/zip/zip.ts'

const checked = (bytes: Buffer, sum: number): Buffer => {
  if (crc32(bytes) !== sum) throw new Error('a member has another checksum')
  return bytes
}

/** The members of a ZIP file of stored or deflated members, in their order. */
export const unzip = (file: Buffer): Map<string, Buffer> => {
  const end = file.lastIndexOf(Buffer.from('504b0506', 'hex'))
  const members = new Map<string, Buffer>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, sum, size, nameLength, extraLength] = [
      file.readUInt16LE(at + 10),
      file.readUInt32LE(at + 16),
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt16LE(at + 30),
    ]
    const local = file.readUInt32LE(at + 42)
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const packed = file.subarray(start, start + size)
    const bytes = checked(method === 8 ? inflateRawSync(packed) : packed, sum)
    members.set(file.toString('utf8', at + 46, at + 46 + nameLength), bytes)
    at += 46 + nameLength + extraLength
  }
  return members
}

/** A name may come more than once. */
export const zip = (members: Iterable<readonly [string, Buffer]>): Buffer => {
  const pieces: Buffer[] = []
  const placed: { name: string; size: number; crc32: number; offset: number }[] = []
  let offset = 0
  for (const [name, bytes] of members) {
    const member = { name, size: bytes.length, crc32: crc32(bytes) }
    placed.push({ ...member, offset })
    pieces.push(localHeader(member), bytes)
    offset += localHeader(member).length + bytes.length
  }
  return Buffer.concat([...pieces, zipDirectory(placed, offset)])
}
