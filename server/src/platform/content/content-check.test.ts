import { randomBytes } from 'node:crypto'
import { ServiceError } from '@integrity/protocol'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkMagic, checkPicture, checkPixels } from './content-check.ts'

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })
const ebml = (docType: string) =>
  Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 + docType.length + 7, 0x42, 0x86, 0x81, 0x01, 0x42, 0x82]),
    Buffer.from([0x80 + docType.length]),
    Buffer.from(docType, 'latin1'),
    Buffer.alloc(64),
  ])
const invalid = (path: string) =>
  expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] })

describe('the first bytes of an object', () => {
  const samples: [string, Buffer][] = [
    ['audio/webm', ebml('webm')],
    ['video/webm', ebml('webm')],
    ['video/x-matroska', ebml('matroska')],
    ['audio/ogg', Buffer.from('OggS\0\u0002rest', 'latin1')],
    ['video/mp4', Buffer.from('\0\0\0\x18ftypisom', 'latin1')],
    ['audio/mp4', Buffer.from('\0\0\0\x18ftypM4A ', 'latin1')],
    ['audio/wav', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
  ]

  it.each(samples)('are accepted as %s when they are', (contentType, bytes) => {
    expect(() => checkMagic(bytes, contentType)).not.toThrow()
  })

  it.each(samples)('are refused as %s when they are something else', (contentType) => {
    for (const other of [Buffer.alloc(0), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.alloc(200)])
      expect(() => checkMagic(other, contentType)).toThrow(ServiceError)
  })

  it('tell a Matroska film from a WebM one, and a WebP picture from a WAVE sound', () => {
    expect(() => checkMagic(ebml('matroska'), 'video/webm')).toThrow(ServiceError)
    expect(() => checkMagic(Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), 'audio/wav')).toThrow(ServiceError)
  })

  it('are refused for a type that no evidence has', () => {
    expect(() => checkMagic(Buffer.from('%PDF-1.7'), 'application/pdf')).toThrow(ServiceError)
  })
})

describe('a picture', () => {
  it.each(['webp', 'jpeg', 'png'] as const)('in %s is decoded and measured', async (format) => {
    const bytes = await canvas(120, 80).toFormat(format).toBuffer()
    expect(await checkPicture(bytes, `image/${format}`)).toEqual({ width: 120, height: 80, turned: false })
  })

  it.each(['webp', 'jpeg', 'png'] as const)(
    'in %s that is cut short is refused, by half or by its last bytes',
    async (format) => {
      const noise = sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
      const bytes = await noise.toFormat(format).toBuffer()
      for (const length of [bytes.length / 2, bytes.length - 5000, bytes.length - 20])
        await expect(checkPicture(bytes.subarray(0, length), `image/${format}`)).rejects.toEqual(invalid('data'))
    },
  )

  it('of another format than declared is refused', async () => {
    const png = await canvas(10, 10).png().toBuffer()
    await expect(checkPicture(png, 'image/jpeg')).rejects.toEqual(invalid('contentType'))
  })

  it('that is SVG is refused, whatever it says it is', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const type of ['image/svg+xml', 'image/png', 'image/webp', 'image/jpeg'])
      await expect(checkPicture(svg, type)).rejects.toEqual(invalid('contentType'))
  })

  it('that is animated is refused', async () => {
    const frames = await sharp(Buffer.concat([Buffer.alloc(16 * 16 * 3, 1), Buffer.alloc(16 * 16 * 3, 200)]), {
      raw: { width: 16, height: 32, channels: 3, pageHeight: 16 },
    })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer()
    await expect(checkPicture(frames, 'image/webp')).rejects.toEqual(invalid('data'))
  })

  it('that unpacks to more than 100 million pixels is refused', async () => {
    const bomb = await canvas(10_001, 10_000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(1_000_000)
    await expect(checkPicture(bomb, 'image/png')).rejects.toEqual(invalid('data'))
  })

  it('must have the pixels that were declared; one that EXIF turns may be declared as it is shown', async () => {
    const plain = await checkPicture(await canvas(40, 30).jpeg().toBuffer(), 'image/jpeg')
    expect(() => checkPixels({ width: 40, height: 30 }, plain)).not.toThrow()
    expect(() => checkPixels({}, plain)).not.toThrow()
    expect(() => checkPixels({ width: 41 }, plain)).toThrow(ServiceError)
    expect(() => checkPixels({ width: 30, height: 40 }, plain)).toThrow(ServiceError)
    const phone = await canvas(40, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const turned = await checkPicture(phone, 'image/jpeg')
    expect(() => checkPixels({ width: 30, height: 40 }, turned)).not.toThrow()
    expect(() => checkPixels({ width: 40, height: 30 }, turned)).not.toThrow()
  })
})
