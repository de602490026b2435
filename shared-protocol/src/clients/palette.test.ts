import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastOf } from './contrast.ts'
import { brandSchemes, type Paint, pagePaint, paletteContrast, phonePaint } from './palette.ts'
import { coloursIn, pageColours, phoneColours, type Scheme } from './tokens.ts'

const light = { accent: '#0b5cad', accentText: '#ffffff', background: '#fffdf7', text: '#222222' }
const dark = { accent: '#ffcc66', accentText: '#221100', background: '#101418', text: '#f0f0f0' }
/** A place, how it is painted, and what of it is read on the background. */
const places: readonly (readonly [string, Paint, readonly string[]])[] = [
  ['a page', pagePaint, ['soft', 'line', 'red', 'green', 'amber', 'attentionLine']],
  ['the phone', phonePaint, ['soft', 'line']],
]
const schemes: readonly Scheme[] = ['light', 'dark']

const byte = fc.integer({ min: 0, max: 255 })
const colour = fc
  .tuple(byte, byte, byte)
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`)

describe.each(places)('the palette on %s', (_, paint, read) => {
  it('is shown as it was chosen where its own scheme is on', () => {
    for (const own of [light, dark]) {
      const shown = brandSchemes(own, undefined, paint)
      expect(shown?.light).toMatchObject({ accent: own.accent, onAccent: own.accentText, text: own.text })
      expect(shown?.light).toMatchObject({ ground: own.background, surface: own.background })
    }
  })

  it('is dark whatever is wished for when its background is, and never lights up a dark page', () => {
    expect(brandSchemes(dark, undefined, paint)).toMatchObject({ alwaysDark: true })
    expect(brandSchemes(dark, undefined, paint)?.dark).toEqual(brandSchemes(dark, undefined, paint)?.light)
    const shown = brandSchemes(light, undefined, paint)
    expect([shown?.alwaysDark, Object.keys(shown?.dark ?? {})]).toEqual([false, ['accent']])
  })

  it('is refused as a whole where one of its pairs cannot be read, or a part is no colour', () => {
    for (const wrong of [
      { ...light, text: '#eeeeee' },
      { ...light, accent: '#fff3d0' },
      { ...light, accentText: '#0b5cae' },
      { ...light, accent: 'blue' },
      { ...light, text: undefined },
      { accent: light.accent },
      [],
      'palette',
      null,
      7,
    ])
      expect(brandSchemes(wrong, undefined, paint), JSON.stringify(wrong)).toBeUndefined()
  })

  it('gives way to the accent alone where it is refused, moved until it can be read on either ground', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const shown = brandSchemes({ ...light, text: '#eeeeee' }, accent, paint)
        return schemes.every(
          (scheme) => contrastOf(String(shown?.[scheme]['accent']), paint.grounds[scheme]) >= paletteContrast,
        )
      }),
    )
  })

  it('is nothing without a palette and without an accent', () => {
    for (const accent of [undefined, null, 7, 'blue', '#12'])
      expect(brandSchemes(undefined, accent, paint)).toBeUndefined()
  })

  it('leaves no line, sign or note that cannot be read on its background', () => {
    for (const own of [light, dark]) {
      const shown = brandSchemes(own, undefined, paint)?.light ?? {}
      for (const name of read)
        expect(contrastOf(String(shown[name]), own.background), name).toBeGreaterThanOrEqual(paletteContrast)
    }
  })
})

it('a palette names no colour that the place does not have', () => {
  for (const own of [light, dark]) {
    const names = (paint: Paint) => Object.keys(brandSchemes(own, undefined, paint)?.light ?? {})
    expect(Object.keys(coloursIn(pageColours, 'light'))).toEqual(expect.arrayContaining(names(pagePaint)))
    expect(Object.keys(coloursIn(phoneColours, 'light'))).toEqual(expect.arrayContaining(names(phonePaint)))
  }
})
