import { invalid, ServiceError } from '@integrity/protocol'
import sharp from 'sharp'
import { isWholeJpeg, readJpegEnd } from './jpeg-end.ts'
import { readPngChunks, withPngEnd } from './png-chunks.ts'

// No picture is decoded twice, so nothing is kept of one (libvips keeps up to 50 MiB); each is decoded by one thread of the pool.
sharp.cache(false)
sharp.concurrency(1)

/** Room for a wall of displays in one picture (8K is 33 million), and a bound to what a small file can unpack to. */
export const maxPixels = 100_000_000

const startsWith = (bytes: Buffer, at: number, text: string): boolean =>
  bytes.length >= at + text.length && bytes.toString('latin1', at, at + text.length) === text

const isRiff = (bytes: Buffer, form: string) => startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, form)
const isMp4 = (bytes: Buffer) => startsWith(bytes, 4, 'ftyp')

/** EBML (RFC 8794): the magic, and the DocType (element 0x4282) of the header that begins the file. */
const isEbml = (bytes: Buffer, ...docTypes: string[]): boolean => {
  if (!startsWith(bytes, 0, '\x1a\x45\xdf\xa3')) return false
  const at = bytes.subarray(0, 128).indexOf('\x42\x82', 4, 'latin1')
  // Sizes below 127 take one byte with the high bit set; every DocType in use is that short.
  const length = at < 0 ? 0 : bytes[at + 2]! & 0x7f
  return at >= 0 && docTypes.includes(bytes.toString('latin1', at + 3, at + 3 + length).replace(/\0+$/, ''))
}

const magic: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => startsWith(bytes, 0, '\x89PNG\r\n\x1a\n'),
  'image/jpeg': (bytes) => startsWith(bytes, 0, '\xff\xd8\xff'),
  'image/webp': (bytes) => isRiff(bytes, 'WEBP'),
  'audio/webm': (bytes) => isEbml(bytes, 'webm'),
  'video/webm': (bytes) => isEbml(bytes, 'webm'),
  'video/x-matroska': (bytes) => isEbml(bytes, 'matroska', 'webm'),
  'audio/ogg': (bytes) => startsWith(bytes, 0, 'OggS'),
  'audio/mp4': isMp4,
  'video/mp4': isMp4,
  'audio/wav': (bytes) => isRiff(bytes, 'WAVE'),
}

/** How many first bytes `checkMagic` looks at. */
export const magicBytes = 128

export const isImage = (contentType: string): boolean => contentType.startsWith('image/')

/** Throws `invalid_request` unless the object's first bytes are of the declared type. */
export const checkMagic = (firstBytes: Buffer, contentType: string): void => {
  if (!magic[contentType]?.(firstBytes)) throw invalid('contentType', `the bytes are not ${contentType}`)
}

export interface Picture {
  readonly width: number
  readonly height: number
  /** EXIF says it is to be shown on its side, so that its width is a viewer's height. */
  readonly turned: boolean
}

interface PictureLimits {
  readonly mostPixels?: number
  /** Asked before it is decoded, once it is known how many pixels that are; what it throws is thrown. */
  readonly admit?: (pixels: number) => Promise<void>
}

/** What the container says before anything is decoded. */
interface Container {
  /** With the end mark that is missing behind a picture that may be whole without it. */
  readonly bytes: Buffer
  readonly ended: boolean
  readonly animated: boolean
}

const readContainer = (bytes: Buffer, contentType: string): Container => {
  if (contentType === 'image/jpeg') return { ...readJpegEnd(bytes), animated: false }
  if (contentType === 'image/png') {
    const chunks = readPngChunks(bytes)
    return { bytes: withPngEnd(bytes, chunks), ended: chunks.ended, animated: chunks.animated }
  }
  return { bytes, ended: bytes.length >= 8 && bytes.readUInt32LE(4) + 8 <= bytes.length, animated: false }
}

/** A still with the end mark that it lacks, which decoders would take for cut short; other bytes as they are. */
export const withEndMark = (bytes: Buffer): Buffer => {
  const type = ['image/jpeg', 'image/png'].find((one) => magic[one]?.(bytes))
  return type === undefined ? bytes : readContainer(bytes, type).bytes
}

const cutShort = 'it is cut short'

/** Decodes to the last row; answers whether all of it was there. Rejects with what the decoder says. */
const isWhole = async (bytes: Buffer, contentType: string, picture: Picture & { mostPixels: number }) => {
  if (contentType === 'image/jpeg') return isWholeJpeg(bytes, picture)
  // Averaging down touches every row but keeps a few at a time: a truth check without the full bitmap. (The kernel
  // `nearest` would leave rows out, and with them the missing end of a PNG.)
  const { mostPixels: limitInputPixels } = picture
  await sharp(bytes, { limitInputPixels, failOn: 'error', sequentialRead: true })
    .resize(8, 8, { fit: 'fill', kernel: 'linear' })
    .raw()
    .toBuffer()
  return true
}

/**
 * Decodes a picture to its last row and answers its size in pixels. Throws `invalid_request` when it is cut short,
 * broken, of another format, animated, or larger than 100 million pixels or what else is said. One that is whole and lacks
 * nothing but its end mark is taken.
 */
export const checkPicture = async (
  sent: Buffer,
  contentType: string,
  { mostPixels = maxPixels, admit }: PictureLimits = {},
): Promise<Picture> => {
  checkMagic(sent, contentType)
  const refuse = (why: string) => invalid('data', `not a readable ${contentType} picture: ${why}`)
  const { bytes, ended, animated } = readContainer(sent, contentType)
  try {
    const options = { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true } as const
    const { format, width, height, pages = 1, orientation = 1 } = await sharp(bytes, options).metadata()
    if (`image/${format}` !== contentType) throw refuse(`it is ${format}`)
    if (pages > 1 || animated) throw refuse('it is animated')
    await admit?.(width * height)
    const picture = { width, height, turned: orientation >= 5 }
    if (!(await isWhole(bytes, contentType, { ...picture, mostPixels }))) throw refuse(cutShort)
    return picture
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw refuse(ended ? 'it cannot be decoded' : cutShort)
  }
}

/** Declared pixels must be the real ones; a picture that EXIF turns may be declared as stored or as shown. */
export const checkPixels = (
  declared: { readonly width?: unknown; readonly height?: unknown },
  { width, height, turned }: Picture,
): void => {
  const fits = (w: number, h: number) => (declared.width ?? w) === w && (declared.height ?? h) === h
  if (fits(width, height) || (turned && fits(height, width))) return
  const path = declared.width !== undefined && declared.width !== width ? 'width' : 'height'
  throw invalid(path, `the picture is ${width} × ${height} pixels`)
}
