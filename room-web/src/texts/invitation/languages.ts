import type { Language } from '../language.ts'
import { type InvitationText, invitationEn } from './en.ts'
import { invitationHi } from './hi.ts'

/** A further language is a catalogue and a line here. */
export const invitationLanguages: readonly [Language<InvitationText>, ...Language<InvitationText>[]] = [
  { code: 'en', direction: 'ltr', texts: invitationEn },
  { code: 'hi', direction: 'ltr', texts: invitationHi },
]
