import { en, type Texts } from '@integrity/protocol/texts/en/room'
import { hi } from '@integrity/protocol/texts/hi/room'
import type { Language } from './language.ts'

/** A further language is a catalogue and a line here. */
export const languages: readonly [Language<keyof Texts>, ...Language<keyof Texts>[]] = [
  { code: 'en', direction: 'ltr', texts: en },
  { code: 'hi', direction: 'ltr', texts: hi },
]
