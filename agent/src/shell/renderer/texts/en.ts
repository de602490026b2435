import { checkEn } from './en/check.ts'
import { consentEn } from './en/consent.ts'
import { generalEn } from './en/general.ts'
import { problemsEn } from './en/problems.ts'
import { recordingEn } from './en/recording.ts'

/** Every text of the window in English. `{name}` is filled in. What is collected is said by the service, not here. */
export const en = { ...generalEn, ...consentEn, ...checkEn, ...recordingEn, ...problemsEn } as const

export type TextKey = keyof typeof en
export type Texts = { readonly [Key in TextKey]: string }
/** A part of a catalogue in another language: the same keys. */
export type PartOf<Part> = { readonly [Key in keyof Part]: string }
