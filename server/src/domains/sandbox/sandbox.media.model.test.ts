import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { checkMagic, checkPicture } from '../../platform/content/content-check.ts'
import { readClip } from './sandbox.clip.model.ts'
import { cameraPicture, screenPicture } from './sandbox.pictures.model.ts'
import { chime } from './sandbox.sounds.model.ts'

describe('simulated sound', () => {
  it('is a WAV of 8 kHz, mono, 16 bit, as long as asked for', () => {
    const bytes = chime(1500, 3)
    checkMagic(bytes, 'audio/wav')
    expect(bytes.length).toBe(44 + 1500 * 16)
    const [format, channels] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
    expect({ format, channels, rate: bytes.readUInt32LE(24), bits: bytes.readUInt16LE(34) }).toEqual({
      format: 1,
      channels: 1,
      rate: 8000,
      bits: 16,
    })
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  })

  it('can be heard, is not clipped, and fades', () => {
    const bytes = chime(2000, 0)
    const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_, i) => bytes.readInt16LE(44 + 2 * i))
    const loudest = (part: readonly number[]) => Math.max(...part.map(Math.abs))
    expect(loudest(samples)).toBeGreaterThan(8000)
    expect(loudest(samples)).toBeLessThan(32_000)
    expect(loudest(samples.slice(-800))).toBeLessThan(loudest(samples.slice(0, 800)) / 10)
  })

  it('is the same for the same arguments, and another for each chime of a session', () => {
    expect(chime(100, 5)).toEqual(chime(100, 5))
    expect(new Set(Array.from({ length: 30 }, (_, number) => chime(100, number).toString('base64'))).size).toBe(30)
  })
})

describe('simulated pictures', () => {
  it('decode, and differ from one instant to the next', async () => {
    for (const picture of [screenPicture, cameraPicture]) {
      const [first, second] = [await picture('00:30', 0), await picture('01:00', 1)]
      await checkPicture(first, 'image/webp')
      expect(first.equals(second)).toBe(false)
      expect(first.length).toBeLessThan(20_000)
    }
  })

  it('carry their label with the time, in a font that comes along', async () => {
    const barOf = async (clock: string, picture: typeof screenPicture) => {
      const { width, height } = await sharp(await picture(clock, 0)).metadata()
      const bar = { left: 0, top: Math.ceil(height * (7 / 8)) + 1, width, height: Math.floor(height / 8) - 2 }
      return sharp(await picture(clock, 0))
        .extract(bar)
        .greyscale()
        .raw()
        .toBuffer()
    }
    for (const picture of [screenPicture, cameraPicture]) {
      const [bar, other] = [await barOf('00:30', picture), await barOf('11:45', picture)]
      const ink = bar.filter((value) => value < 100).length / bar.length
      expect(ink).toBeGreaterThan(0.1)
      expect(ink).toBeLessThan(0.5)
      expect(other.equals(bar)).toBe(false)
    }
  })
})

describe('the simulated film', () => {
  it('is a small WebM', async () => {
    const bytes = await readClip()
    checkMagic(bytes, 'video/webm')
    expect(bytes.length).toBeLessThan(20_000)
  })
})
