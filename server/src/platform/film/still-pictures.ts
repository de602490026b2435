import sharp from 'sharp'
import { withEndMark } from '../content/content-check.ts'
import { releaseMemory } from '../release-memory.ts'
import type { FilmItem } from './film.types.ts'
import { matColour } from './film-layout.ts'
import type { ByteSource } from './item-bytes.ts'
import { type Picture, pictureFromRgb } from './pictures.ts'

/** No still of the contract is as large; what is, is not taken into memory. */
const largestStill = 64 * 1024 * 1024
const mostPixels = 100_000_000

/** All of an item, in memory. */
export const readAll = async (item: ByteSource): Promise<Buffer> => {
  const pieces: Uint8Array[] = []
  for await (const piece of item.read()) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** JPEG, PNG or WebP by their first bytes: other formats of the decoder (SVG) could name other files. */
export const isStill = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
  bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47])) ||
  (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')

/**
 * Decodes a still into a picture of that size, whole and upright, on the mat where its shape is another. Undefined when
 * it cannot be decoded; rejects with what `item.read` rejects with.
 */
export const decodeStill = async (
  item: FilmItem,
  size: { readonly width: number; readonly height: number },
): Promise<Picture | undefined> => {
  if (item.sizeBytes > largestStill) return undefined
  const bytes = await readAll(item)
  if (!isStill(bytes)) return undefined
  const { width, height } = size
  try {
    const rgb = await sharp(withEndMark(bytes), { failOn: 'error', limitInputPixels: mostPixels, autoOrient: true })
      .flatten({ background: matColour })
      .resize({ width, height, fit: 'contain', background: matColour })
      .toColourspace('srgb')
      .raw()
      .toBuffer()
    const picture = rgb.length === width * height * 3 ? pictureFromRgb(rgb, width, height) : undefined
    releaseMemory(rgb)
    return picture
  } catch {
    return undefined
  }
}
