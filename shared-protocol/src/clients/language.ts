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

/** Fills `{name}` in. A number is written the way of the language (`code`, BCP 47). */
export const fill = (text: string, values: Readonly<Record<string, string | number>>, code: string): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(code) : (value ?? all)
  })
