import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { type JpegFrame, readJpegFrame } from './jpeg-frame.ts'

const endMark = Buffer.from([0xff, 0xd9])

/** Coded data of nobody's picture, without a byte that begins a marker. */
const filler = Buffer.from(Array.from({ length: 1024 }, (_, n) => (n * 167 + 61) % 255))

/** With an end mark behind them where there is none: decoders take a whole picture without one for a cut one. */
export const readJpegEnd = (bytes: Buffer): { readonly bytes: Buffer; readonly ended: boolean } => {
  const frame = readJpegFrame(bytes)
  if (!frame || frame.ended) return { bytes, ended: frame !== undefined }
  return { bytes: Buffer.concat([bytes.subarray(0, frame.end), endMark]), ended: false }
}

interface Looked {
  readonly width: number
  readonly height: number
  readonly mostPixels: number
}

/**
 * A hash of what depends on every unit of coded data: the first coefficient of each block, which is a 64th of the picture;
 * where scans refine each other, one colour of every pixel, into which all components go.
 */
const lookAt = async (
  bytes: Buffer,
  { progressive, scans, colours }: JpegFrame,
  { width, height, mostPixels }: Looked,
) => {
  const picture = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'none', sequentialRead: true })
  const seen =
    progressive || scans > 1
      ? picture.extractChannel(colours > 1 ? 1 : 0)
      : picture.resize(Math.ceil(width / 8), Math.ceil(height / 8), { fit: 'fill', kernel: 'linear' })
  return createHash('sha1')
    .update(await seen.raw().toBuffer())
    .digest('hex')
}

/**
 * Whether a JPEG has coded data for the whole of its picture. Decoders fill up what is missing and only warn, as they do of
 * harmless files; so the picture is decoded once more with other data behind its own: what changes by that was never there.
 * Rejects when it cannot be decoded at all.
 */
export const isWholeJpeg = async (bytes: Buffer, looked: Looked): Promise<boolean> => {
  const frame = readJpegFrame(bytes)
  if (!frame?.complete) return false
  const own = bytes.subarray(0, frame.end)
  const asItIs = await lookAt(Buffer.concat([own, endMark]), frame, looked)
  // What fails by more data needed them.
  const withMore = await lookAt(Buffer.concat([own, filler, endMark]), frame, looked).catch(() => undefined)
  return asItIs === withMore
}
