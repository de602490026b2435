import { isTurnedBy } from './exif-turned.ts'

export interface WebpChunks {
  readonly width: number
  readonly height: number
  readonly animated: boolean
  /** Coded picture is there, and every chunk to its last byte. */
  readonly whole: boolean
  /** EXIF says that it is shown on its side. */
  readonly turned: boolean
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Of a key frame of VP8 (RFC 6386, section 9.1); undefined where its first part is not there. */
const readVp8 = (data: Buffer): Size | undefined => {
  if (data.length < 10 || data.readUIntBE(3, 3) !== 0x9d012a) return undefined
  const tag = data.readUIntLE(0, 3)
  const isInterFrame = (tag & 1) === 1
  if (isInterFrame || 10 + (tag >>> 5) > data.length) return undefined
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff }
}

/** Of a lossless picture (RFC 9649, section 3.4). */
const readVp8l = (data: Buffer): Size | undefined => {
  if (data.length < 6 || data[0] !== 0x2f) return undefined
  const bits = data.readUInt32LE(1)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const isAnimatedFlag = 2

/** Walks a WebP (RFC 9649) from chunk to chunk; undefined where nothing says how large it is. */
export const readWebpChunks = (bytes: Buffer): WebpChunks | undefined => {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP')
    return undefined
  const told = bytes.readUInt32LE(4) + 8
  let canvas: Size | undefined
  let coded: Size | undefined
  let [animated, turned] = [false, false]
  let at = 12
  while (at + 8 <= Math.min(told, bytes.length)) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + size)
    at += 8 + size + (size % 2)
    if (data.length < size) return { ...(canvas ?? coded ?? { width: 0, height: 0 }), animated, turned, whole: false }
    if (name === 'VP8X' && size >= 10) {
      animated = (data[0]! & isAnimatedFlag) !== 0
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 }
    }
    if (name === 'ANIM' || name === 'ANMF') animated = true
    if (name === 'VP8 ') coded ??= readVp8(data)
    if (name === 'VP8L') coded ??= readVp8l(data)
    if (name === 'EXIF') turned = isTurnedBy(data)
  }
  const size = canvas ?? coded
  if (!size) return undefined
  const fits = coded?.width === size.width && coded.height === size.height
  return { ...size, animated, turned, whole: told <= bytes.length && fits }
}
