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
