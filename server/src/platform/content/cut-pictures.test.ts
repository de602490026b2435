import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkPicture, withEndMark } from './content-check.ts'

const input = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../test/media-inputs/${name}`, import.meta.url))
const size = { width: 320, height: 240 }
const noise = () => sharp(randomBytes(320 * 240 * 3), { raw: { ...size, channels: 3 } })
const flat = () => sharp({ create: { ...size, channels: 3, background: '#336699' } })
const endMark = Buffer.from([0xff, 0xd9])
const begin = (bytes: Buffer, share: number): Buffer => bytes.subarray(0, Math.floor(bytes.length * share))
const refusal = (why: string) =>
  expect.objectContaining({
    code: 'invalid_request',
    details: [expect.objectContaining({ path: 'data', message: expect.stringContaining(why) })],
  })
const jpegs: [string, () => Promise<Buffer>][] = [
  ['baseline', () => noise().jpeg().toBuffer()],
  ['baseline of one colour', () => flat().jpeg().toBuffer()],
  ['baseline in full colour', () => noise().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
  ['grey', () => noise().greyscale().jpeg().toBuffer()],
  ['progressive', () => noise().jpeg({ progressive: true }).toBuffer()],
  ['progressive of many scans', () => noise().jpeg({ mozjpeg: true }).toBuffer()],
  ['grey and progressive', () => noise().greyscale().jpeg({ progressive: true }).toBuffer()],
]
const shares = [0.02, 0.1, 0.3, 0.7, 0.98]

describe.each(jpegs)('a JPEG (%s)', (_name, make) => {
  it.each(shares)(
    'of which only %f came is refused as cut short, with an end mark behind it or without',
    async (share) => {
      const cut = begin(await make(), share)
      for (const bytes of [cut, Buffer.concat([cut, endMark])])
        await expect(checkPicture(bytes, 'image/jpeg')).rejects.toEqual(refusal('it is cut short'))
    },
  )

  it('is taken whole, without its end mark, with bytes before that mark, and with bytes behind it', async () => {
    const whole = await make()
    const unmarked = whole.subarray(0, -2)
    const padded = Buffer.concat([unmarked, Buffer.alloc(40), endMark])
    for (const bytes of [whole, unmarked, whole.subarray(0, -1), padded, Buffer.concat([whole, Buffer.alloc(40)])])
      expect(await checkPicture(bytes, 'image/jpeg')).toMatchObject(size)
  })
})

describe('a JPEG', () => {
  it('whose first scan says what sequential scans do not, as those of some phones do, is taken', async () => {
    const whole = Buffer.from(await noise().jpeg().toBuffer())
    const scan = whole.indexOf(Buffer.from([0xff, 0xda]))
    // Spectral selection 0 to 0 instead of 0 to 63.
    whole[scan + 2 + whole.readUInt16BE(scan + 2) - 2] = 0
    expect(await checkPicture(whole, 'image/jpeg')).toMatchObject(size)
  })

  it('that is cut behind a byte that fills up before a mark is refused', async () => {
    const whole = await noise().jpeg().toBuffer()
    const bytes = Buffer.concat([begin(whole, 0.5), Buffer.from([0xff, 0xff]), endMark])
    await expect(checkPicture(bytes, 'image/jpeg')).rejects.toEqual(refusal('it is cut short'))
    const filled = Buffer.concat([whole.subarray(0, -2), Buffer.from([0xff, 0xff]), endMark])
    expect(await checkPicture(filled, 'image/jpeg')).toMatchObject(size)
  })

  it('with restart marks is refused wherever it is cut, and taken whole', async () => {
    const whole = await input('restarts.jpg')
    expect(await checkPicture(whole, 'image/jpeg')).toMatchObject({ width: 160, height: 120 })
    const scan = whole.indexOf(Buffer.from([0xff, 0xda]))
    for (let at = scan + 20; at < whole.length - 8; at++) {
      const atRestart = whole[at] === 0xff && whole[at + 1]! >= 0xd0 && whole[at + 1]! <= 0xd7
      if (!atRestart && at % 701 !== 0) continue
      const bytes = Buffer.concat([whole.subarray(0, at), endMark])
      await expect(checkPicture(bytes, 'image/jpeg'), `${at}`).rejects.toEqual(refusal('it is cut short'))
    }
  })

  it('of which the first 2 percent came with an end mark is refused, and one without its last two bytes is taken', async () => {
    const cut = await input('noise-2percent-eoi.jpg')
    await expect(checkPicture(cut, 'image/jpeg')).rejects.toEqual(refusal('it is cut short'))
    const unmarked = await input('noise-noeoi.jpg')
    expect(await checkPicture(unmarked, 'image/jpeg')).toMatchObject({ width: 640, height: 480 })
    const strict = sharp(withEndMark(unmarked), { failOn: 'warning' }).raw().toBuffer()
    expect((await strict).length).toBe(640 * 480 * 3)
  })
})

describe.each(['png', 'webp'] as const)('a picture in %s', (format) => {
  it.each(shares)('of which only %f came is refused as cut short', async (share) => {
    const bytes = begin(await noise().toFormat(format).toBuffer(), share)
    await expect(checkPicture(bytes, `image/${format}`)).rejects.toEqual(refusal('it is cut short'))
  })
})

describe('a PNG', () => {
  it('that is whole and spoiled inside is refused as one that cannot be decoded', async () => {
    const bytes = Buffer.from(await noise().png().toBuffer())
    bytes.fill(0x55, 60, 400)
    await expect(checkPicture(bytes, 'image/png')).rejects.toEqual(refusal('it cannot be decoded'))
  })

  it('that lacks only its last chunk is taken, and decodes with it', async () => {
    const whole = await noise().png().toBuffer()
    const unmarked = whole.subarray(0, -12)
    expect(await checkPicture(unmarked, 'image/png')).toMatchObject(size)
    expect(withEndMark(unmarked).equals(whole)).toBe(true)
  })

  it('that ends with an end chunk in the middle of its picture is refused', async () => {
    const whole = await noise().png().toBuffer()
    const bytes = Buffer.concat([begin(whole, 0.5), whole.subarray(-12)])
    await expect(checkPicture(bytes, 'image/png')).rejects.toEqual(refusal('not a readable image/png picture'))
  })

  it('that is animated is refused as an animated WebP is', async () => {
    await expect(checkPicture(await input('apng.png'), 'image/png')).rejects.toEqual(refusal('it is animated'))
  })
})
