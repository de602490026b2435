import { createHash } from 'node:crypto'
import { invalid, logoSide, maxLogoBytes } from '@integrity/protocol'
import sharp from 'sharp'
import { checkPicture } from '../../../platform/content/content-check.ts'
import type { LogoRow } from './branding.types.ts'

/** No logo needs more; a picture of so many is decoded in some hundredths of a second. */
const mostPixels = 25_000_000

/** A logo to be shown in a box of so many CSS pixels, in twice as many of its own. */
export const shrunkLogo = async (
  png: Buffer,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<{ png: Buffer; width: number; height: number }> => {
  const { data, info } = await sharp(png)
    .resize({ width: width * 2, height: height * 2, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true })
  const share = Math.min(width / info.width, height / info.height, 1)
  return { png: data, width: Math.round(info.width * share), height: Math.round(info.height * share) }
}

/** Decodes a picture and writes it again: nothing of what came stays but its pixels. Throws `invalid_request` in words. */
export const redrawLogo = async ({
  contentType,
  data,
}: {
  readonly contentType: string
  readonly data: string
}): Promise<{ logo: LogoRow; png: Buffer }> => {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > maxLogoBytes) throw invalid('data', `must be at most ${maxLogoBytes} bytes`)
  await checkPicture(bytes, contentType, { mostPixels })
  const { data: png, info } = await sharp(bytes, { failOn: 'error', autoOrient: true })
    .resize({ width: logoSide, height: logoSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toBuffer({ resolveWithObject: true })
  const sha256 = createHash('sha256').update(png).digest('hex')
  return { logo: { sha256, width: info.width, height: info.height, sizeBytes: png.length }, png }
}
