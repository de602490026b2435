/** One box of ISO/IEC 14496-12 (section 4.2): a size in 4 bytes, a type in 4 letters, a body. */
export interface Box {
  readonly type: string
  readonly body: Buffer
}

/** The boxes that a body consists of. A size that does not fit ends the list. */
export const boxesIn = (body: Buffer): Box[] => {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= body.length; ) {
    const size = body.readUInt32BE(at)
    if (size < 8 || at + size > body.length) break
    boxes.push({ type: body.toString('latin1', at + 4, at + 8), body: body.subarray(at + 8, at + size) })
    at += size
  }
  return boxes
}

export const childBox = (body: Buffer, ...path: string[]): Buffer | undefined => {
  let found: Buffer | undefined = body
  for (const type of path) found = found && boxesIn(found).find((box) => box.type === type)?.body
  return found
}

export const makeBox = (type: string, ...content: Buffer[]): Buffer => {
  const head = Buffer.alloc(8)
  const size = content.reduce((sum, part) => sum + part.length, 8)
  head.writeUInt32BE(size)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...content], size)
}

/** Numbers of 32 bits, big endian. */
export const uint32s = (values: readonly number[]): Buffer => {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}
