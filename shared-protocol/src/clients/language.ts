/** The first of the wishes (BCP 47 tags) that there is a catalogue for, else the first catalogue. */
export const pickLanguage = <Language extends { readonly code: string }>(
  languages: readonly [Language, ...Language[]],
  wishes: readonly (string | null | undefined)[],
): Language => {
  for (const wish of wishes) {
    const found = languages.find(({ code }) => wish?.toLowerCase().split('-')[0] === code)
    if (found) return found
  }
  return languages[0]
}

type Values = Readonly<Record<string, string | number>>

/** `{n|picture|pictures}`: the one for the number, by the rules of the language (CLDR). */
const chosen = (value: string | number | undefined, one: string, other: string, code: string): string =>
  typeof value === 'number' && new Intl.PluralRules(code).select(value) === 'one' ? one : other

/** In one pass, so that a value that looks like a place to fill in stays as it is. */
const filled = (text: string, values: Values, code: string, written: (value: string | number) => string): string =>
  text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (place, name: string, one?: string, other?: string) => {
    const value = values[name]
    if (value === undefined) return place
    return one === undefined || other === undefined ? written(value) : chosen(value, one, other, code)
  })

/** Fills `{name}` in. A number is written the way of the language (`code`, BCP 47), and chooses in `{name|one|more}`. */
export const fill = (text: string, values: Values, code: string): string =>
  filled(text, values, code, (value) => (typeof value === 'number' ? value.toLocaleString(code) : value))

/** Fills `{name}` in, numbers in plain digits. */
export const fillPlain = (text: string, values: Values, code = 'en'): string => filled(text, values, code, String)
