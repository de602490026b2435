export interface PictureSize {
  readonly width: number
  readonly height: number
}

const at = (bytes: Buffer, from: number, text: string): boolean =>
  bytes.toString('latin1', from, from + text.length) === text

/** The pixels that the first chunk of a WebP names (RFC 9649); undefined where there is none that is understood. */
export const readWebpSize = (bytes: Buffer): PictureSize | undefined => {
  if (bytes.length < 30 || !at(bytes, 0, 'RIFF') || !at(bytes, 8, 'WEBP')) return undefined
  if (at(bytes, 12, 'VP8X')) return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (at(bytes, 12, 'VP8 ')) {
    if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (!at(bytes, 12, 'VP8L') || bytes[20] !== 0x2f) return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
