import { en, type Texts } from './en.ts'
import { hi } from './hi.ts'
import type { Language } from './language.ts'

/** A further language is a catalogue and a line here. */
export const languages: readonly [Language<keyof Texts>, ...Language<keyof Texts>[]] = [
  { code: 'en', direction: 'ltr', texts: en },
  { code: 'hi', direction: 'ltr', texts: hi },
]
