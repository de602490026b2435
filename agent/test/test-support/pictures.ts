import sharp from 'sharp'
import { runCommand } from '../../src/shared/child-process.ts'

/** Raw red, green, blue values, rows without padding. */
export interface Pixels {
  width: number
  height: number
  data: Buffer
}

export const decodePicture = async (bytes: Buffer): Promise<Pixels> => {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data }
}

/** Mean difference of all values, 0 to 255; 255 for pictures of different sizes. */
export const difference = (a: Pixels, b: Pixels): number => {
  if (a.width !== b.width || a.height !== b.height) return 255
  let sum = 0
  for (let i = 0; i < a.data.length; i += 1) sum += Math.abs(a.data[i]! - b.data[i]!)
  return sum / a.data.length
}

/** Makes pictures of one of ffmpeg's test sources, `smptebars=size=640x480:duration=1:rate=1`, as one JPEG each. */
export const testPictures = async (source: string): Promise<Buffer> => {
  const args = [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    source,
    '-c:v',
    'mjpeg',
    '-q:v',
    '2',
    '-f',
    'mjpeg',
    'pipe:1',
  ]
  const { code, stdout, stderr } = await runCommand('ffmpeg', args)
  if (code !== 0) throw new Error(stderr)
  return stdout
}
