import { type RequestsText, requestsEn } from '@integrity/protocol/texts/en/requests'
import { requestsHi } from '@integrity/protocol/texts/hi/requests'
import type { Language } from '../language.ts'

/** A further language is a catalogue and a line here. */
export const requestsLanguages: readonly [Language<RequestsText>, ...Language<RequestsText>[]] = [
  { code: 'en', direction: 'ltr', texts: requestsEn },
  { code: 'hi', direction: 'ltr', texts: requestsHi },
]
