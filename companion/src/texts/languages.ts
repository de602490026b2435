import { en, type Texts } from '@integrity/protocol/texts/en/phone'
import { hi } from '@integrity/protocol/texts/hi/phone'

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
