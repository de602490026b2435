import { en, type Texts } from './en.ts'
import { hi } from './hi.ts'

export interface Language {
  readonly code: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Texts
}

/** A further language is a catalogue and a line here. */
export const languages = [
  { code: 'en', direction: 'ltr', texts: en },
  { code: 'hi', direction: 'ltr', texts: hi },
] as const satisfies readonly Language[]
const [english] = languages

/** The first of the wishes (BCP 47 tags) that there is a catalogue for, else English. */
export const pickLanguage = (wishes: readonly (string | null)[]): Language => {
  for (const wish of wishes) {
    const found = languages.find(({ code }) => wish?.toLowerCase().split('-')[0] === code)
    if (found) return found
  }
  return english
}

/** Fills `{name}` in. A number is written the way of the language. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>, code: string): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(code) : (value ?? all)
  })
