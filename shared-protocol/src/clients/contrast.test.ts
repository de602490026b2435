import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastOf, isDark, readableAccent } from './contrast.ts'

const byte = fc.integer({ min: 0, max: 255 })
const colour = fc
  .tuple(byte, byte, byte)
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)
const ground = fc.constantFrom('#ffffff', '#000000', '#f6f7f9', '#121417')

describe('contrast', () => {
  it('is 21 between black and white, 1 of a colour with itself, and as WCAG reckons in between', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(contrastOf('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
    expect(contrastOf('#ff0000', '#ffffff')).toBeCloseTo(4, 1)
    fc.assert(fc.property(colour, (one) => Math.abs(contrastOf(one, one) - 1) < 1e-9))
  })

  it('is the same either way, and never outside 1 to 21', () => {
    fc.assert(
      fc.property(colour, colour, (a, b) => {
        const contrast = contrastOf(a, b)
        return contrast === contrastOf(b, a) && contrast >= 1 && contrast <= 21.0001
      }),
    )
  })

  it('reads the short spelling and capitals, and takes what is no colour for no contrast', () => {
    expect(contrastOf('#FFF', '#000')).toBe(contrastOf('#ffffff', '#000000'))
    for (const text of ['', 'white', '#12345', '#1234567', '#12345g', 'rgb(0,0,0)', '# fff'])
      expect([contrastOf(text, '#ffffff'), isDark(text), readableAccent(text, '#ffffff')], text).toEqual([
        1,
        false,
        undefined,
      ])
  })

  it('calls a colour dark only where white is read on it at least nearly as well as black', () => {
    fc.assert(
      fc.property(colour, (one) => {
        const [white, black] = [contrastOf(one, '#ffffff'), contrastOf(one, '#000000')]
        return isDark(one) ? white > black * 0.98 : black > white * 0.98
      }),
    )
  })
})

describe('an accent', () => {
  it('can be read on its ground, whatever colour was chosen', () => {
    fc.assert(
      fc.property(colour, ground, (one, behind) => {
        const moved = readableAccent(one, behind)
        return moved !== undefined && contrastOf(moved, behind) >= 4.5
      }),
    )
  })

  it('stays as it is where it can be read already, and a second time changes nothing', () => {
    fc.assert(
      fc.property(colour, ground, (one, behind) => {
        const moved = readableAccent(one, behind)
        if (contrastOf(one, behind) >= 4.5) return moved === one
        return moved !== undefined && readableAccent(moved, behind) === moved
      }),
    )
  })

  it('has no ground where the ground is no colour', () => {
    expect(readableAccent('#336699', 'paper')).toBeUndefined()
  })
})
