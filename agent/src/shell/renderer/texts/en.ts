import { checkEn } from '@integrity/protocol/texts/en/window-check'
import { consentEn } from '@integrity/protocol/texts/en/window-consent'
import { generalEn } from '@integrity/protocol/texts/en/window-general'
import { problemsEn } from '@integrity/protocol/texts/en/window-problems'
import { recordingEn } from '@integrity/protocol/texts/en/window-recording'

/** Every text of the window in English. `{name}` is filled in. What is collected is said by the service, not here. */
export const en = { ...generalEn, ...consentEn, ...checkEn, ...recordingEn, ...problemsEn } as const

export type TextKey = keyof typeof en
export type Texts = { readonly [Key in TextKey]: string }
/** A part of a catalogue in another language: the same keys. */
export type PartOf<Part> = { readonly [Key in keyof Part]: string }
