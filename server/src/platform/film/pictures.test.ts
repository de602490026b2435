import { describe, expect, it } from 'vitest'
import { greys } from './film-layout.ts'
import { createPicture, drawMask, fillGrey, lumaOfGrey, pictureFromRgb, putPicture } from './pictures.ts'

const flat = (rgb: readonly number[], width = 4, height = 2) =>
  pictureFromRgb(
    Uint8Array.from({ length: width * height * 3 }, (_, index) => rgb[index % 3] as number),
    width,
    height,
  )
const planes = ({ data, width, height }: { data: Buffer; width: number; height: number }) => {
  const size = width * height
  return [data.subarray(0, size), data.subarray(size, size * 1.25), data.subarray(size * 1.25)].map((plane) => [
    ...plane,
  ])
}

describe('pictures', () => {
  // The full-scale colours of ITU-R BT.709 in 8-bit limited range.
  it.each([
    ['white', [255, 255, 255], [235, 128, 128]],
    ['black', [0, 0, 0], [16, 128, 128]],
    ['red', [255, 0, 0], [63, 102, 240]],
    ['green', [0, 255, 0], [173, 42, 26]],
    ['blue', [0, 0, 255], [32, 240, 118]],
  ])('take %s from RGB', (_, rgb, yuv) => {
    const means = planes(flat(rgb)).map((plane) => plane.reduce((sum, value) => sum + value, 0) / plane.length)
    for (const [index, value] of yuv.entries())
      expect(Math.abs((means[index] as number) - value)).toBeLessThanOrEqual(1)
  })

  it('take chroma as the mean of the four pixels it stands for', () => {
    const half = pictureFromRgb(Uint8Array.from([255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 255]), 2, 2)
    expect(planes(half)[1]).toEqual([171])
    expect(planes(half)[2]).toEqual([179])
  })

  it('are put on others with all their planes', () => {
    const target = createPicture(8, 4, 50)
    putPicture(target, flat([255, 0, 0]), { x: 2, y: 2 })
    const [luma, u, v] = planes(target)
    expect(luma?.slice(16, 24)).toEqual([50, 50, 63, 63, 63, 63, 50, 50])
    expect(luma?.slice(0, 16).every((value) => value === 50)).toBe(true)
    expect(u).toEqual([128, 128, 128, 128, 128, 102, 102, 128])
    expect(v?.slice(4)).toEqual([128, 240, 240, 128])
  })

  it('lose their colour where they are filled with grey', () => {
    const target = flat([255, 0, 0], 4, 4)
    fillGrey(target, { x: 0, y: 0, width: 2, height: 2 }, 200)
    expect(planes(target)[0]?.slice(0, 4)).toEqual([200, 200, 63, 63])
    expect(planes(target)[1]?.[0]).toBe(128)
  })

  it('take masks, and leave out what is outside', () => {
    const target = createPicture(4, 2, 100)
    drawMask(
      target,
      { width: 3, height: 3, data: Uint8Array.from([255, 0, 51, 255, 255, 255, 255, 255, 255]) },
      { x: 2, y: -1 },
      0,
    )
    expect([...target.data.subarray(0, 8)]).toEqual([100, 100, 0, 0, 100, 100, 0, 0])
    drawMask(target, { width: 2, height: 1, data: Uint8Array.from([51, 0]) }, { x: 0, y: 0 }, 200)
    expect([...target.data.subarray(0, 2)]).toEqual([120, 100])
  })
})

describe('the greys of a frame', () => {
  /** WCAG 2.2, contrast ratio of two greys given as luma. */
  const contrast = (a: number, b: number): number => {
    const luminance = (luma: number) => {
      const value = (luma - 16) / 219
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    }
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
    return (light + 0.05) / (dark + 0.05)
  }
  it('can be read by everybody', () => {
    expect(contrast(greys.text, greys.strip)).toBeGreaterThan(7)
    expect(contrast(greys.quietText, greys.strip)).toBeGreaterThan(7)
    expect(contrast(greys.quietText, greys.card)).toBeGreaterThan(7)
  })
  it('are light where a picture is missing', () => {
    for (const ground of [greys.mat, greys.card]) expect(ground).toBeGreaterThan(lumaOfGrey(200))
  })
})
