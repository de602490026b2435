/** An IEND chunk: no data, and the checksum of its name. */
const endChunk = Buffer.from('0000000049454e44ae426082', 'hex')

export interface PngChunks {
  /** An animation (APNG) behind the picture that is shown where none can be played. */
  readonly animated: boolean
  readonly ended: boolean
  /** The last chunk is there to its last byte. */
  readonly even: boolean
}

/** Walks a PNG from chunk to chunk. */
export const readPngChunks = (bytes: Buffer): PngChunks => {
  let animated = false
  let at = 8
  while (at + 12 <= bytes.length) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
    if (name === 'acTL') animated = true
    if (name === 'IEND') return { animated, ended: at <= bytes.length, even: at <= bytes.length }
  }
  return { animated, ended: false, even: at === bytes.length }
}

/** The bytes with an end chunk behind them where only that is missing. */
export const withPngEnd = (bytes: Buffer, { ended, even } = readPngChunks(bytes)): Buffer =>
  !ended && even ? Buffer.concat([bytes, endChunk]) : bytes
