import { describe, expect, it } from 'vitest'
import { fingerprint, hashText, type RawFrame, sameFrame } from './fingerprint.ts'

const pixelWidth = 360
const height = 320
const whole = { x: 0, y: 0, width: pixelWidth, height: height }

type Colour = [number, number, number]

const frameOf = (colour: (x: number, y: number) => Colour): RawFrame => {
  const pixels = Buffer.alloc(pixelWidth * height * 4, 255)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < pixelWidth; x += 1) pixels.set(colour(x, y), (y * pixelWidth + x) * 4)
  }
  return { width: pixelWidth, height: height, pixels }
}
const plain = (...colour: Colour) =>
  fingerprint(
    frameOf(() => colour),
    whole,
  )
const page = (changed: (x: number, y: number) => boolean) =>
  fingerprint(
    frameOf((x, y) => (changed(x, y) ? [0, 0, 0] : [x % 256, y % 256, 200])),
    whole,
  )

describe('a still’s fingerprint', () => {
  it('is the same for the same picture', () => {
    expect(
      sameFrame(
        page(() => false),
        page(() => false),
      ),
    ).toBe(true)
  })

  it('tells one plain colour from another, though their hashes agree', () => {
    const [red, blue] = [plain(200, 0, 0), plain(0, 0, 200)]
    expect(red.hash).toBe(blue.hash)
    expect(sameFrame(red, blue)).toBe(false)
  })

  it('overlooks a blinking cursor and sees a line of text', () => {
    const blank = page(() => false)
    expect(
      sameFrame(
        blank,
        page((x, y) => x === 100 && y >= 100 && y < 102),
      ),
    ).toBe(true)
    expect(
      sameFrame(
        blank,
        page((x, y) => x >= 40 && x < 200 && y >= 100 && y < 112 && x % 3 === 0),
      ),
    ).toBe(false)
  })

  it('knows a frame of a single colour from one that varies', () => {
    expect(plain(30, 30, 30).varies).toBe(false)
    expect(page(() => false).varies).toBe(true)
  })

  it('looks at its own part of a frame only', () => {
    const left = { x: 0, y: 0, width: pixelWidth / 2, height: height }
    const before = frameOf(() => [10, 10, 10])
    const after = frameOf((x) => (x >= pixelWidth / 2 ? [250, 250, 250] : [10, 10, 10]))
    expect(sameFrame(fingerprint(before, left), fingerprint(after, left))).toBe(true)
    expect(sameFrame(fingerprint(before, whole), fingerprint(after, whole))).toBe(false)
  })

  it('sets a bit where a cell is brighter than its right neighbour', () => {
    const fading = fingerprint(
      frameOf((x) => [255 - (x * 255) / pixelWidth, 255 - (x * 255) / pixelWidth, 255 - (x * 255) / pixelWidth]),
      whole,
    )
    expect(hashText(fading)).toBe('f'.repeat(16))
    expect(hashText(plain(9, 9, 9))).toBe('0'.repeat(16))
  })
})
