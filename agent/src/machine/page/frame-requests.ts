import { DriverError } from '../../core/capture/types.ts'
import { blockValues, type Fingerprint } from '../stills/fingerprint.ts'
import { smallEnough, smallPicture } from '../stills/pictures.ts'
import type { CommandValue } from './messages.ts'
import type { PageStream } from './page-stream.ts'

export type Looked = NonNullable<CommandValue<'look'>['frame']> & { at: number; print: Fingerprint }

/** A fresh frame of the stream, which the page keeps for `pictureOf`; undefined when none came. Throws DriverError. */
export const lookAt = async (stream: PageStream): Promise<Looked | undefined> => {
  const { value, bytes } = await stream.request('look', {})
  const { at, frame } = value
  if (!frame) return undefined
  if (bytes.length !== blockValues * Float32Array.BYTES_PER_ELEMENT) {
    throw new DriverError('driver_failed', 'the capture page gave no fingerprint')
  }
  const blocks = new Float32Array(blockValues)
  new Uint8Array(blocks.buffer).set(bytes)
  return { ...frame, at, print: { blocks, hash: BigInt(`0x${frame.hash}`), varies: frame.varies } }
}

/** The WebP picture of the frame last looked at. Throws DriverError, also when it is none. */
export const pictureOf = async (stream: PageStream, quality: number, maxSide?: number): Promise<Buffer> => {
  const wanted = { contentType: 'image/webp', quality, ...(maxSide !== undefined && { maxSide }) } as const
  const { value, bytes } = await stream.request('picture', wanted)
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp) throw new DriverError('driver_failed', `the capture page encoded ${value.contentType} instead of WebP`)
  return bytes
}

/** The same for whoever looks through many, at most 160 pixels a side and 4 kB; undefined where the page makes none. */
export const smallPictureOf = (stream: PageStream): Promise<Buffer | undefined> =>
  smallEnough((quality) => pictureOf(stream, quality, smallPicture.maxSide))
