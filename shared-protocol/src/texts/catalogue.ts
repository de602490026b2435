import { type LanguageCode, languages } from './languages.ts'

/** The same names with other words. */
export type Translated<Texts> = {
  readonly [Name in keyof Texts]: Texts[Name] extends string ? string : Translated<Texts[Name]>
}

/** Texts that belong together, in every language. */
export type Area<Texts> = Readonly<Record<LanguageCode, Translated<Texts>>>

/** A language with the texts of one client. */
export interface Language<Text extends string> {
  /** BCP 47. */
  readonly code: string
  /** In the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** BCP 47 of how its dates stand in letters. */
  readonly dates: string
  readonly texts: Readonly<Record<Text, string>>
}

/** Every language with the texts of one client; the first for whoever asks for another. */
export type Catalogue<Text extends string> = readonly [Language<Text>, ...Language<Text>[]]

/** The names of the texts in a catalogue. */
export type TextOf<Of> = Of extends Catalogue<infer Text> ? Text : never

type Flat = Readonly<Record<string, string>>
type NameOf<One> = One extends Readonly<Record<LanguageCode, infer Texts>> ? keyof Texts & string : never

/** The catalogue of a client: the areas that it uses, which are all that it loads. */
export const catalogueOf = <const Areas extends readonly Readonly<Record<LanguageCode, Flat>>[]>(
  ...areas: Areas
): Catalogue<NameOf<Areas[number]>> => {
  const [first, ...rest] = languages.map(({ code, name, direction, dates }) => ({
    code,
    name,
    direction,
    dates,
    texts: Object.assign({}, ...areas.map((area) => area[code])) as Readonly<Record<NameOf<Areas[number]>, string>>,
  }))
  if (!first) throw new Error('there is no language')
  return [first, ...rest]
}

/** The texts of a client in one language. */
export const textsIn = <Text extends string>(catalogue: Catalogue<Text>, code: LanguageCode): Record<Text, string> =>
  (catalogue.find((language) => language.code === code) ?? catalogue[0]).texts
