import { crc32 } from 'node:zlib'
import { isTurnedBy } from './exif-turned.ts'

/** An IEND chunk: no data, and the checksum of its name. */
const endChunk = Buffer.from('0000000049454e44ae426082', 'hex')

export interface PngChunks {
  /** An animation (APNG) behind the picture that is shown where none can be played. */
  readonly animated: boolean
  readonly ended: boolean
  /** The last chunk is there to its last byte. */
  readonly even: boolean
  /** The checksum of every chunk fits. */
  readonly sound: boolean
  /** Pixels as the first chunk names them; 0 where there is none. */
  readonly width: number
  readonly height: number
  /** Bytes of coded picture. */
  readonly dataBytes: number
  /** EXIF says that it is shown on its side. */
  readonly turned: boolean
}

/** Walks a PNG from chunk to chunk. */
export const readPngChunks = (bytes: Buffer): PngChunks => {
  let [animated, sound, turned] = [false, true, false]
  let [width, height, dataBytes] = [0, 0, 0]
  const told = (ended: boolean, even: boolean): PngChunks => ({
    animated,
    ended,
    even,
    sound,
    width,
    height,
    dataBytes,
    turned,
  })
  let at = 8
  while (at + 12 <= bytes.length) {
    const from = at + 8
    const name = bytes.toString('latin1', at + 4, from)
    const to = from + bytes.readUInt32BE(at)
    if (to + 4 <= bytes.length) {
      if (crc32(bytes.subarray(at + 4, to)) !== bytes.readUInt32BE(to)) sound = false
      if (name === 'IHDR' && at === 8 && to - from === 13)
        [width, height] = [bytes.readUInt32BE(from), bytes.readUInt32BE(from + 4)]
      if (name === 'IDAT') dataBytes += to - from
      if (name === 'eXIf') turned = isTurnedBy(bytes.subarray(from, to))
    }
    if (name === 'acTL') animated = true
    at = to + 4
    if (name === 'IEND') return told(at <= bytes.length, at <= bytes.length)
  }
  return told(false, at === bytes.length)
}

/** The bytes with an end chunk behind them where only that is missing. */
export const withPngEnd = (bytes: Buffer, { ended, even } = readPngChunks(bytes)): Buffer =>
  !ended && even ? Buffer.concat([bytes, endChunk]) : bytes
