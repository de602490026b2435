import { describe, expect, it } from 'vitest'
import { brightness, checkFrame, greyOf, sharpness } from './frame-checks.ts'
import { checkMotion, readMotion } from './motion-checks.ts'
import type { GreyFrame } from './session.types.ts'

const frame = (value: (x: number, y: number) => number): GreyFrame => {
  const [width, height] = [160, 120]
  const pixels = Uint8Array.from({ length: width * height }, (_p, at) => value(at % width, Math.floor(at / width)))
  return { width, height, pixels }
}
const edges = frame((x, y) => (((x >> 3) + (y >> 3)) % 2 ? 200 : 60))
const soft = frame((x) => 60 + Math.round((x / 160) * 140))

describe('the check of a frame', () => {
  it('measures light as the mean of its pixels', () => {
    expect(brightness(frame(() => 77))).toBe(77)
    expect(brightness({ width: 0, height: 0, pixels: new Uint8Array() })).toBe(0)
  })

  it('measures sharpness by edges: none in an even frame or a slow ramp, much in a pattern', () => {
    expect(sharpness(frame(() => 120))).toBe(0)
    expect(sharpness(soft)).toBeLessThan(5)
    expect(sharpness(edges)).toBeGreaterThan(1000)
    expect(sharpness({ width: 2, height: 2, pixels: new Uint8Array(4) })).toBe(0)
  })

  it('says of light what it is, and of sharpness only where there is light', () => {
    expect(checkFrame(frame(() => 10))).toMatchObject({ light: 'too_dark', sharp: 'unknown' })
    expect(checkFrame(frame(() => 250))).toMatchObject({ light: 'too_bright', sharp: 'unknown' })
    expect(checkFrame(soft)).toMatchObject({ light: 'good', sharp: 'blurred' })
    expect(checkFrame(edges)).toEqual({ light: 'good', sharp: 'good', shape: 'wide' })
  })

  it('tells a picture that is wider than high from one that is higher than wide', () => {
    expect(checkFrame({ width: 120, height: 160, pixels: new Uint8Array(120 * 160) }).shape).toBe('tall')
  })

  it('reads the bytes of a canvas as an eye weighs colours', () => {
    const rgba = Uint8ClampedArray.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255)
    expect([...greyOf(rgba, 2, 2).pixels]).toEqual([76, 149, 29, 255])
  })
})

describe('the check of the stand', () => {
  const still = (x: number, y: number, z: number) => Array.from({ length: 10 }, () => ({ x, y, z }))

  it('finds an upright phone good, on either edge', () => {
    expect(checkMotion(readMotion(still(0, 9.8, 0)))).toEqual({ upright: 'good', steady: 'good' })
    expect(checkMotion(readMotion(still(-9.8, 0, 0.5)))).toEqual({ upright: 'good', steady: 'good' })
  })

  it('finds one that lies on its back or leans far', () => {
    expect(readMotion(still(0, 0, 9.8))?.leanDegrees).toBeCloseTo(90)
    expect(checkMotion(readMotion(still(0, 7, 7)))).toEqual({ upright: 'leaning', steady: 'good' })
  })

  it('finds one that is held in a hand', () => {
    const samples = Array.from({ length: 20 }, (_s, n) => ({ x: (n % 2) * 1.2, y: 9.8, z: 0 }))
    expect(checkMotion(readMotion(samples))).toEqual({ upright: 'unknown', steady: 'moving' })
  })

  it('says nothing without enough samples, or without gravity in them', () => {
    expect(readMotion(still(0, 9.8, 0).slice(0, 4))).toBeUndefined()
    expect(readMotion(still(0, 0, 0))).toBeUndefined()
    expect(checkMotion(undefined)).toEqual({ upright: 'unknown', steady: 'unknown' })
  })
})
