import sharp from 'sharp'
import type { CapturedItem } from '../core/capture/types.ts'
import type { Preview } from '../shared/ipc/window-state.ts'

const width = 320

/** Whether an item is a picture of its own. */
export const isStill = ({ kind }: Pick<CapturedItem, 'kind'>): boolean =>
  kind === 'screenshot' || kind === 'camera_frame'

/** A still as the window shows it: small, to be seen and thrown away. */
export const smallPicture = async ({
  lane,
  displayId,
  bytes,
}: Pick<CapturedItem, 'lane' | 'displayId' | 'bytes'>): Promise<Preview> => {
  const small = await sharp(bytes).resize({ width, withoutEnlargement: true }).jpeg({ quality: 60 }).toBuffer()
  const picture = `data:image/jpeg;base64,${small.toString('base64')}`
  return { lane, ...(displayId === undefined ? {} : { displayId }), picture }
}
