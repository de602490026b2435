import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkPicture } from './content-check.ts'
import { walkPicture } from './picture-walk.ts'

const input = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../test/media-inputs/${name}`, import.meta.url))
const noise = (width = 61, height = 47, channels: 3 | 4 = 3) =>
  sharp(randomBytes(width * height * channels), { raw: { width, height, channels } })
const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#336699' } })

const refusal = (why: string) =>
  expect.objectContaining({
    code: 'invalid_request',
    details: [expect.objectContaining({ path: 'data', message: expect.stringContaining(why) })],
  })

const pictures: readonly (readonly [name: string, type: 'png' | 'jpeg' | 'webp', make: () => Sharp])[] = [
  ['a PNG', 'png', () => noise().png()],
  ['a PNG of a palette', 'png', () => flat(30, 20).png({ palette: true })],
  ['an interlaced PNG', 'png', () => noise().png({ progressive: true })],
  ['a PNG with EXIF', 'png', () => noise().withMetadata({ orientation: 6 }).png()],
  ['a JPEG', 'jpeg', () => noise().jpeg()],
  ['a progressive JPEG', 'jpeg', () => noise().jpeg({ progressive: true })],
  ['a JPEG of many scans', 'jpeg', () => noise().jpeg({ mozjpeg: true })],
  ['a JPEG of a phone on its side', 'jpeg', () => noise().withMetadata({ orientation: 6 }).jpeg()],
  ['a JPEG of a phone upside down', 'jpeg', () => noise().withMetadata({ orientation: 3 }).jpeg()],
  ['a WebP', 'webp', () => noise().webp()],
  ['a lossless WebP', 'webp', () => noise().webp({ lossless: true })],
  ['a WebP that one can see through', 'webp', () => noise(61, 47, 4).webp()],
  ['a WebP on its side', 'webp', () => noise().withMetadata({ orientation: 8 }).webp()],
]

describe.each(pictures)('%s', (_name, format, make) => {
  const type = `image/${format}`

  it('is measured as by decoding it', async () => {
    const bytes = await make().toBuffer()
    expect(walkPicture(bytes, type)).toEqual(await checkPicture(bytes, type))
  })

  it('is refused wherever it is cut', async () => {
    const bytes = await make().toBuffer()
    // A PNG without its end mark alone is whole, and a JPEG without one is for a decoder to tell.
    const last = format === 'png' ? bytes.length - 12 : bytes.length
    for (let length = 0; length < last; length += length < 200 ? 1 : 37) {
      const cut = bytes.subarray(0, length)
      const walk = () => walkPicture(cut, type)
      if (format !== 'jpeg') expect(walk, String(length)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
      else {
        const walked = (() => {
          try {
            return walk()
          } catch {
            return undefined
          }
        })()
        expect(walked, String(length)).toBeUndefined()
      }
    }
  })

  it('is refused as another format', async () => {
    const bytes = await make().toBuffer()
    for (const other of ['png', 'jpeg', 'webp'].filter((name) => name !== format))
      expect(() => walkPicture(bytes, `image/${other}`)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})

describe('a picture', () => {
  it('that is animated is refused', async () => {
    const pages = { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } } as const
    const frames = await sharp(Buffer.concat([Buffer.alloc(768, 1), Buffer.alloc(768, 200)]), pages)
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
    expect(() => walkPicture(frames, 'image/webp')).toThrow(refusal('it is animated'))
    const apng = await input('apng.png')
    expect(() => walkPicture(apng, 'image/png')).toThrow(refusal('it is animated'))
  })

  it('of more than 100 million pixels is refused by its head', async () => {
    const bomb = await flat(10_001, 10_000).png({ compressionLevel: 9 }).toBuffer()
    expect(() => walkPicture(bomb, 'image/png')).toThrow(refusal('100 million pixels'))
  })

  it('whose checksum does not fit is refused', async () => {
    const bytes = Buffer.from(await noise().png().toBuffer())
    bytes[80] = bytes[80]! ^ 1
    expect(() => walkPicture(bytes, 'image/png')).toThrow(refusal('it cannot be decoded'))
  })

  it('that ends with an end chunk in the middle is refused', async () => {
    const whole = await noise().png().toBuffer()
    const half = whole.subarray(0, whole.length / 2)
    const bytes = Buffer.concat([half, whole.subarray(-12)])
    expect(() => walkPicture(bytes, 'image/png')).toThrow(refusal('not a readable image/png picture'))
  })

  it('in JPEG without its end mark is for a decoder to tell', async () => {
    const bytes = await noise().jpeg().toBuffer()
    expect(walkPicture(bytes.subarray(0, -2), 'image/jpeg')).toBeUndefined()
  })
})
