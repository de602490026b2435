import { type BrandedOrg, contactOf } from '@integrity/protocol/clients/brand'
import { type BrandWords, typedPalette } from './brand-words.ts'

const said = (words: string): string | undefined => (words.trim() === '' ? undefined : words.trim())

/** What is typed, as far as the service would take it: what is half written yet is left out. */
const usable = (words: BrandWords) => ({
  palette: typedPalette(words),
  welcome: said(words.welcome),
  displayName: said(words.displayName),
  privacyContact: contactOf(words.privacyContact)?.text,
})

interface Named {
  readonly words: BrandWords
  /** Of the organisation, where none is typed. */
  readonly name: string
  /** An address of this service or a picture as a whole. */
  readonly logo: string | undefined
}

/** The organisation as a page of candidates is told of it. */
export const typedOrg = ({ words, name, logo }: Named): BrandedOrg => {
  const { palette, welcome, privacyContact } = usable(words)
  return {
    name,
    brand: {
      ...(palette && { primaryColor: palette.accent, palette }),
      ...(logo !== undefined && { logoUrl: logo }),
      ...(privacyContact !== undefined && { privacyContact }),
      ...(welcome !== undefined && { welcome }),
    },
  }
}

/** The same in an address. */
export const typedQuery = (words: BrandWords): Readonly<Record<string, string>> => {
  const { palette, ...others } = usable(words)
  return Object.fromEntries(
    Object.entries({ ...others, ...palette }).filter((one): one is [string, string] => one[1] !== undefined),
  )
}
