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

type Values<Value> = Readonly<Record<string, Value>>

/** In one pass, so that a value that looks like a place to fill in stays as it is. */
const filled = <Value>(text: string, values: Values<Value>, written: (value: Value) => string): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    return value === undefined ? place : written(value)
  })

/** Fills `{name}` in. A number is written the way of the language (`code`, BCP 47). */
export const fill = (text: string, values: Values<string | number>, code: string): string =>
  filled(text, values, (value) => (typeof value === 'number' ? value.toLocaleString(code) : value))

/** Fills `{name}` in, numbers in plain digits. */
export const fillPlain = (text: string, values: Values<string | number>): string => filled(text, values, String)
