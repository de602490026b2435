import { type InvitationText, invitationEn } from '@integrity/protocol/texts/en/invitation'
import { invitationHi } from '@integrity/protocol/texts/hi/invitation'
import type { Language } from '../language.ts'

/** A further language is a catalogue and a line here. */
export const invitationLanguages: readonly [Language<InvitationText>, ...Language<InvitationText>[]] = [
  { code: 'en', direction: 'ltr', texts: invitationEn },
  { code: 'hi', direction: 'ltr', texts: invitationHi },
]
