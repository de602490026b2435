import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { lookIntervalMs, sharp, smallEnough, smallOf } from './pictures.ts'

describe('look interval', () => {
  it('is the interval of the stills where that is short', () => {
    expect(lookIntervalMs(500)).toBe(500)
    expect(lookIntervalMs(10_000)).toBe(10_000)
  })

  it('is an equal part of a longer interval, and never longer than ten seconds', () => {
    expect(lookIntervalMs(15_000)).toBe(7500)
    expect(lookIntervalMs(3_600_000)).toBe(10_000)
    expect(lookIntervalMs(31_000)).toBe(7750)
  })
})

describe('a small picture', () => {
  const noise = (width: number, height: number) =>
    sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })

  it.each([
    [1920, 1080, 160, 90],
    [300, 1200, 40, 160],
    [100, 50, 100, 50],
  ])('of %i × %i is WebP of %i × %i and at most 4 kB, whatever is in it', async (width, height, w, h) => {
    const small = await smallOf(noise(width, height))
    expect(small?.length).toBeLessThanOrEqual(4096)
    expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: w, height: h })
  })

  it('is left out where it cannot be made, or does not get small enough', async () => {
    expect(await smallEnough(async () => Buffer.alloc(4097))).toBeUndefined()
    expect(await smallEnough(() => Promise.reject(new Error('no codec')))).toBeUndefined()
    expect(await smallEnough(async (quality) => Buffer.alloc(quality > 30 ? 5000 : 4096))).toHaveLength(4096)
  })
})
