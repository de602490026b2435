import { createHash } from 'node:crypto'
import { invalid, logoSide, maxLogoBytes } from '@integrity/protocol'
import sharp from 'sharp'
import { checkPicture } from '../../platform/content/content-check.ts'
import type { LogoRow } from './branding.types.ts'

/** No logo needs more; a picture of so many is decoded in some hundredths of a second. */
const mostPixels = 25_000_000

/** Decodes a picture and writes it anew: nothing of what came stays but its pixels. Throws `invalid_request` in words. */
export const redrawLogo = async ({
  contentType,
  data,
}: {
  readonly contentType: string
  readonly data: string
}): Promise<{ logo: LogoRow; png: Buffer }> => {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.length > maxLogoBytes) throw invalid('data', `must be at most ${maxLogoBytes} bytes`)
  await checkPicture(bytes, contentType, mostPixels)
  const { data: png, info } = await sharp(bytes, { failOn: 'error', autoOrient: true })
    .resize({ width: logoSide, height: logoSide, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toBuffer({ resolveWithObject: true })
  const sha256 = createHash('sha256').update(png).digest('hex')
  return { logo: { sha256, width: info.width, height: info.height, sizeBytes: png.length }, png }
}
