import { en, type Texts } from './en.ts'
import { hi } from './hi.ts'

export interface Language {
  readonly code: string
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Texts
}

/** A further language is a catalogue and a line here. */
export const languages: readonly [Language, ...Language[]] = [
  { code: 'en', name: 'English', direction: 'ltr', texts: en },
  { code: 'hi', name: 'हिन्दी', direction: 'ltr', texts: hi },
]

/** The one of a BCP 47 tag, else English. */
export const pickLanguage = (tag: string | undefined): Language =>
  languages.find(({ code }) => tag?.toLowerCase().split('-')[0] === code) ?? languages[0]

/** Fills `{name}` in. A number is written the way of the language. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>, code: string): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? value.toLocaleString(code) : (value ?? all)
  })
