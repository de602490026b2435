/*
 * A ZIP file of stored members (APPNOTE 6.3.10), of which all sizes and checksums are known beforehand, so that any range of it
 * can be made without the rest. What is too large for the old fields goes into those of ZIP64 (section 4.5.3).
 */

export interface ZipMember {
  /** ASCII, without a leading slash. */
  readonly name: string
  readonly size: number
  readonly crc32: number
  /** So many bytes it has as it is deflated, and what is known of it is behind it; absent for one that is stored. */
  readonly packed?: number
}

const utf8Names = 0x0800
const behind = 0x0008
const stored = 0
const deflated = 8
const plainVersion = 20
const zip64Version = 45
/** 1 January 1980, the first day that the format knows. */
const day = 0x0021
const max16 = 0xffff
const max32 = 0xffffffff

/** The fields that did not fit, in their order, as the extra field of ZIP64. */
const zip64Extra = (values: readonly number[]): Buffer => {
  if (values.length === 0) return Buffer.alloc(0)
  const extra = Buffer.alloc(4 + values.length * 8)
  extra.writeUInt16LE(0x0001, 0)
  extra.writeUInt16LE(values.length * 8, 2)
  for (const [n, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + n * 8)
  return extra
}

/** From "version needed" to the length of the extra field, which both headers of a member share. */
const common = ({ name, size, crc32, packed }: ZipMember, extra: Buffer): Buffer => {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(extra.length > 0 ? zip64Version : plainVersion, 0)
  fields.writeUInt16LE(packed === undefined ? utf8Names : utf8Names | behind, 2)
  fields.writeUInt16LE(packed === undefined ? stored : deflated, 4)
  fields.writeUInt16LE(0, 6)
  fields.writeUInt16LE(day, 8)
  fields.writeUInt32LE(crc32, 10)
  fields.writeUInt32LE(Math.min(packed ?? size, max32), 14)
  fields.writeUInt32LE(Math.min(size, max32), 18)
  fields.writeUInt16LE(Buffer.byteLength(name), 22)
  fields.writeUInt16LE(extra.length, 24)
  return fields
}

/** Stands before the bytes of a member. */
export const localHeader = (member: ZipMember): Buffer => {
  const extra = zip64Extra(member.size >= max32 ? [member.size, member.size] : [])
  return Buffer.concat([Buffer.from('504b0304', 'hex'), common(member, extra), Buffer.from(member.name), extra])
}

/** Stands behind the bytes of a deflated member (section 4.3.9). Throws for one that needs the longer form. */
export const dataDescriptor = ({ name, size, crc32, packed = size }: ZipMember): Buffer => {
  if (size >= max32 || packed >= max32)
    throw new RangeError(`${name} is too large for a ZIP file that is written as it goes`)
  const descriptor = Buffer.from('504b0708'.padEnd(32, '0'), 'hex')
  descriptor.writeUInt32LE(crc32, 4)
  descriptor.writeUInt32LE(packed, 8)
  descriptor.writeUInt32LE(size, 12)
  return descriptor
}

const centralHeader = (member: ZipMember, offset: number): Buffer => {
  const sizes = member.size >= max32 ? [member.size, member.size] : []
  const extra = zip64Extra([...sizes, ...(offset >= max32 ? [offset] : [])])
  const head = Buffer.from('504b01020000', 'hex')
  head.writeUInt16LE(zip64Version, 4)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(Math.min(offset, max32), 10)
  return Buffer.concat([head, common(member, extra), tail, Buffer.from(member.name), extra])
}

interface Placed extends ZipMember {
  /** Of its local header. */
  readonly offset: number
}

const zip64End = (count: number, size: number, offset: number): Buffer => {
  const record = Buffer.alloc(56)
  record.write('504b0606', 0, 'hex')
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(zip64Version, 12)
  record.writeUInt16LE(zip64Version, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('504b0607', 0, 'hex')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

/** The directory that ends the file; it begins at `offset`. */
export const zipDirectory = (members: readonly Placed[], offset: number): Buffer => {
  const headers = Buffer.concat(members.map((member) => centralHeader(member, member.offset)))
  const wide = members.length >= max16 || headers.length >= max32 || offset >= max32
  const end = Buffer.alloc(22)
  end.write('504b0506', 0, 'hex')
  end.writeUInt16LE(Math.min(members.length, max16), 8)
  end.writeUInt16LE(Math.min(members.length, max16), 10)
  end.writeUInt32LE(Math.min(headers.length, max32), 12)
  end.writeUInt32LE(Math.min(offset, max32), 16)
  return Buffer.concat([headers, ...(wide ? [zip64End(members.length, headers.length, offset)] : []), end])
}
