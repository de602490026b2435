import type { BodyInputOf, EndpointMap } from '@integrity/protocol'
import { contrastOf } from '@integrity/protocol/clients/contrast'
import { type PaletteColours, palettePairs } from '@integrity/protocol/clients/palette'
import type { ReadResult } from '../../../data/desk-api.ts'

export type Branding = ReadResult<'portal.branding.get'>

export const paletteNames = ['accent', 'accentText', 'background', 'text'] as const

/** What the form begins with; `base` is the version that the writer has seen. */
export const brandWordsOf = ({ config, resolved, version }: Branding) => ({
  displayName: config.displayName ?? '',
  privacyContact: config.privacyContact ?? '',
  welcome: config.welcome ?? '',
  own: config.palette ? 'yes' : '',
  ...resolved.palette,
  base: String(version),
})
export type BrandWords = ReturnType<typeof brandWordsOf>

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

const paletteIn = ({ accent, accentText, background, text }: BrandWords): PaletteColours => ({
  accent,
  accentText,
  background,
  text,
})

/** The palette that is typed, once all of it are colours. */
export const typedPalette = (words: BrandWords): PaletteColours | undefined =>
  words.own === 'yes' && paletteNames.every((name) => isColour(words[name])) ? paletteIn(words) : undefined

/** How well each pair that screens show can be read. */
export const contrastsOf = (palette: PaletteColours) =>
  palettePairs.map(([, above, below]) => ({
    above,
    below,
    ratio: Math.floor(contrastOf(palette[above], palette[below]) * 10) / 10,
  }))

export const brandBodyOf = (words: BrandWords): BodyInputOf<EndpointMap['portal.branding.set']> => {
  const { displayName, privacyContact, welcome } = words
  return {
    ...(displayName.trim() === '' ? {} : { displayName: displayName.trim() }),
    ...(privacyContact.trim() === '' ? {} : { privacyContact: privacyContact.trim() }),
    ...(welcome.trim() === '' ? {} : { welcome: welcome.trim() }),
    ...(words.own === 'yes' ? { palette: paletteIn(words) } : {}),
    expectedVersion: Number(words.base),
  }
}
