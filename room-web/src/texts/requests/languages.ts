import type { Language } from '../language.ts'
import { type RequestsText, requestsEn } from './en.ts'
import { requestsHi } from './hi.ts'

/** A further language is a catalogue and a line here. */
export const requestsLanguages: readonly [Language<RequestsText>, ...Language<RequestsText>[]] = [
  { code: 'en', direction: 'ltr', texts: requestsEn },
  { code: 'hi', direction: 'ltr', texts: requestsHi },
]
