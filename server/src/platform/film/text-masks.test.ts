import { describe, expect, it } from 'vitest'
import type { Mask } from './pictures.ts'
import { characterMasks, plainLine, textMask } from './text-masks.ts'

const style = { size: 18, font: 'sans' } as const
const box = { width: 400, lines: 2, align: 'left' } as const
const ink = (mask: Mask | undefined): number => mask?.data.reduce((sum, coverage) => sum + coverage, 0) ?? 0
/** The lowest row that has ink. */
const lowest = (mask: Mask | undefined): number =>
  mask ? Math.floor(mask.data.findLastIndex((coverage) => coverage > 100) / mask.width) : -1
/** How many rows down the first ink is. */
const highest = (mask: Mask | undefined): number =>
  mask ? Math.floor(mask.data.findIndex((coverage) => coverage > 100) / mask.width) : -1

describe('textMask', () => {
  it('draws nothing for no words', async () => {
    for (const text of ['', '   ', '\n\t\u0000']) expect(await textMask(text, style, box)).toBeUndefined()
  })

  it('draws words in their box, and other words otherwise', async () => {
    const [one, other] = [await textMask('Focus moved', style, box), await textMask('Paste of 20', style, box)]
    expect(one?.width).toBeGreaterThan(60)
    expect(one?.width).toBeLessThanOrEqual(box.width)
    expect(ink(one)).toBeGreaterThan(10_000)
    expect(ink(one)).not.toBe(ink(other))
  })

  it('keeps the base line where it is, whatever the letters', async () => {
    const [low, tall] = await Promise.all(['xx', 'xÂlx'].map((text) => textMask(text, style, box)))
    expect(lowest(low)).toBe(lowest(tall))
    expect(highest(tall)).toBeLessThan(highest(low))
  })

  it('breaks lines, and cuts what does not fit with an ellipsis', async () => {
    const [one, two, cut] = await Promise.all(
      ['word', 'word '.repeat(12), 'word '.repeat(300)].map((text) => textMask(text, style, box)),
    )
    expect(one?.height).toBeLessThan(30)
    expect(two?.height).toBeGreaterThan(30)
    expect(cut?.height).toBeLessThanOrEqual((two?.height ?? 0) + 4)
    expect(cut?.width).toBeLessThanOrEqual(box.width)
  })

  it('cuts a word that has no end, between letters and not within one', async () => {
    const family = '👩‍👩‍👧'
    const mask = await textMask(family.repeat(200), style, { ...box, lines: 1 })
    expect(mask?.width).toBeLessThanOrEqual(box.width)
    expect((await textMask('x'.repeat(5000), style, box))?.height).toBeLessThan(60)
  })

  it('takes markup as words', async () => {
    const [marked, plain] = [await textMask('<b>a</b> &amp; b', style, box), await textMask('a & b', style, box)]
    expect(marked?.width).toBeGreaterThan((plain?.width ?? 0) * 2)
  })
})

describe('plainLine', () => {
  it('makes one line of anything', () => {
    expect(plainLine(' a\r\nb\u2028c\u0000d\ud800 ')).toBe('a b c d\ufffd')
    expect(plainLine('x'.repeat(100_000))).toHaveLength(1000)
  })
})

describe('characterMasks', () => {
  it('gives cells of one size, empty for a space, and different for different digits', async () => {
    const masks = await characterMasks('0123456789: UTC', 19)
    const sizes = new Set([...masks.values()].map(({ width, height }) => `${width}x${height}`))
    expect(sizes.size).toBe(1)
    expect(ink(masks.get(' '))).toBe(0)
    const digits = Array.from('0123456789UTC', (digit) => ink(masks.get(digit)))
    for (const digit of digits) expect(digit).toBeGreaterThan(5000)
    expect(new Set(digits).size).toBe(digits.length)
  })
})
