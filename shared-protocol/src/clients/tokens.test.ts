import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastOf, readableAccent } from './contrast.ts'
import { brandSchemes, pagePaint, phonePaint } from './palette.ts'
import { coloursIn, pageColours, phoneColours, type Scheme } from './tokens.ts'

type Pair<Name> = readonly [front: Name, grounds: readonly Name[]]

/** What is read: 4.5 to 1 (WCAG 2.2, 1.4.3). */
const pageTexts: readonly Pair<keyof typeof pageColours>[] = [
  ['text', ['ground', 'surface', 'notice', 'attention']],
  ['soft', ['ground', 'surface']],
  ['accent', ['ground', 'surface', 'notice', 'attention']],
  ['onAccent', ['accent']],
  ['onRed', ['red']],
  ['onRecording', ['recording']],
  ['onPicture', ['picture']],
]
/** What has to be seen to know a control or a state: 3 to 1 (1.4.11). */
const pageParts: readonly Pair<keyof typeof pageColours>[] = [
  // The edge of a control is seen against the surface that it is around.
  ['line', ['surface']],
  ['attentionLine', ['ground', 'surface', 'attention']],
  ['red', ['surface']],
  ['green', ['ground', 'surface']],
  ['amber', ['surface']],
  ['soft', ['surface']],
]
const phoneTexts: readonly Pair<keyof typeof phoneColours>[] = [
  ['text', ['ground', 'surface']],
  ['soft', ['ground', 'surface']],
  ['accent', ['ground', 'surface']],
  ['onAccent', ['accent']],
  ['onRed', ['red']],
  ['onInterrupted', ['interrupted']],
  ['onAttention', ['attention']],
]
const phoneParts: readonly Pair<keyof typeof phoneColours>[] = [
  ['line', ['ground', 'surface']],
  ['onPicture', ['picture']],
]

const tooLittle = <Name extends string>(
  colours: Readonly<Record<Name, string>>,
  pairs: readonly Pair<Name>[],
  least: number,
) =>
  pairs.flatMap(([front, grounds]) =>
    grounds
      .filter((ground) => contrastOf(colours[front], colours[ground]) < least)
      .map((ground) => `${front} on ${ground}: ${contrastOf(colours[front], colours[ground]).toFixed(2)}`),
  )

/** Any palette that a service takes. */
const colour = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const anyPalette = fc.tuple(colour, colour, colour, colour).map(([accent, accentText, background, text]) => {
  const seen = readableAccent(accent, background) ?? ''
  return {
    accent: seen,
    accentText: readableAccent(accentText, seen) ?? '',
    background,
    text: readableAccent(text, background) ?? '',
  }
})

describe('any palette that can be read', () => {
  it('leaves everything on the pages and the phone to be read, for whoever wants light pages and dark ones', () => {
    fc.assert(
      fc.property(anyPalette, (palette) => {
        const [pages, phone] = [
          brandSchemes(palette, undefined, pagePaint),
          brandSchemes(palette, undefined, phonePaint),
        ]
        for (const scheme of ['light', 'dark'] as const) {
          const ofPages = { ...coloursIn(pageColours, scheme), ...pages?.[scheme] }
          const ofPhone = { ...coloursIn(phoneColours, scheme), ...phone?.[scheme] }
          expect([...tooLittle(ofPages, pageTexts, 4.5), ...tooLittle(ofPages, pageParts, 3)]).toEqual([])
          expect([...tooLittle(ofPhone, phoneTexts, 4.5), ...tooLittle(ofPhone, phoneParts, 3)]).toEqual([])
        }
        expect(pages?.light['ground']).toBe(palette.background)
        expect(phone?.light['accent']).toBe(palette.accent)
      }),
    )
  })
})

describe.each<Scheme>(['light', 'dark'])('the colours of the %s scheme', (scheme) => {
  it('can be read on the pages, and their controls seen', () => {
    const colours = coloursIn(pageColours, scheme)
    expect(tooLittle(colours, pageTexts, 4.5)).toEqual([])
    expect(tooLittle(colours, pageParts, 3)).toEqual([])
  })

  it('can be read on the phone, and its controls seen', () => {
    const colours = coloursIn(phoneColours, scheme)
    expect(tooLittle(colours, phoneTexts, 4.5)).toEqual([])
    expect(tooLittle(colours, phoneParts, 3)).toEqual([])
  })

  it('are the same on the pages and the phone where they mean the same', () => {
    const [pages, phone] = [coloursIn(pageColours, scheme), coloursIn(phoneColours, scheme)]
    for (const name of ['accent', 'onAccent', 'ground', 'surface', 'text', 'soft', 'line', 'attention'] as const)
      expect(phone[name], name).toBe(pages[name])
    expect([phone.red, phone.onRed]).toEqual([pages.recording, pages.onRecording])
  })

  it('are written with six digits', () => {
    for (const colours of [coloursIn(pageColours, scheme), coloursIn(phoneColours, scheme)])
      for (const colour of Object.values(colours)) expect(colour).toMatch(/^#[0-9a-f]{6}$/)
  })
})
