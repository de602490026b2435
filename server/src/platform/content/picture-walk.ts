import { invalid } from '@integrity/protocol'
import { checkMagic, maxPixels, type Picture } from './content-check.ts'
import { readJpegFrame } from './jpeg-frame.ts'
import { readPngChunks } from './png-chunks.ts'
import { readWebpChunks } from './webp-chunks.ts'

const cutShort = 'it is cut short'

/** Why a picture is refused, what it is, or nothing where only a decoder can tell. */
type Walked = Picture | string | undefined

const walkPng = (bytes: Buffer): Walked => {
  const { animated, ended, even, sound, dataBytes, ...picture } = readPngChunks(bytes)
  if (!ended && !even) return cutShort
  if (!sound) return 'it cannot be decoded: a checksum does not fit'
  if (animated) return 'it is animated'
  if (dataBytes === 0) return cutShort
  return picture
}

const walkJpeg = (bytes: Buffer): Walked => {
  const frame = readJpegFrame(bytes)
  if (!frame?.complete) return cutShort
  // Where the end mark is missing, so may be the end.
  if (!frame.ended) return undefined
  const { width, height, turned } = frame
  return { width, height, turned }
}

const walkWebp = (bytes: Buffer): Walked => {
  const chunks = readWebpChunks(bytes)
  if (!chunks) return 'it cannot be decoded'
  const { animated, whole, ...picture } = chunks
  if (animated) return 'it is animated'
  return whole ? picture : cutShort
}

const walks: Readonly<Record<string, (bytes: Buffer) => Walked>> = {
  'image/png': walkPng,
  'image/jpeg': walkJpeg,
  'image/webp': walkWebp,
}

/**
 * Reads of a picture's container how large it is and whether all of it is there; nothing is decoded, so that what is spoiled
 * inside may pass. Throws `invalid_request` when it is cut short, of another format, animated, or larger than 100 million
 * pixels. Undefined where only a decoder can tell: a JPEG without its end mark.
 */
export const walkPicture = (bytes: Buffer, contentType: string): Picture | undefined => {
  checkMagic(bytes, contentType)
  const refuse = (why: string) => invalid('data', `not a readable ${contentType} picture: ${why}`)
  const walked = walks[contentType]?.(bytes)
  if (walked === undefined) return undefined
  if (typeof walked === 'string') throw refuse(walked)
  const pixels = walked.width * walked.height
  if (pixels === 0) throw refuse('it has no pixels')
  if (pixels > maxPixels) throw refuse(`it has more than ${maxPixels / 1_000_000} million pixels`)
  return walked
}
