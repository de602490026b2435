import { type ConsentTexts, consentEn } from '../../texts/en/consent-document.ts'
import { consentHi } from '../../texts/hi/consent-document.ts'
import type { LaneName } from './lanes.registry.ts'

/** The languages that a consent document is written in, as BCP 47 tags; the first one for whoever asks for another. */
export const consentLocales = ['en', 'hi'] as const
export type ConsentLocale = (typeof consentLocales)[number]

export const consentTexts: Readonly<Record<ConsentLocale, ConsentTexts>> = { en: consentEn, hi: consentHi }

/** The language of the document for a BCP 47 tag: `hi-IN` gives `hi`; what is not there, or is no tag, gives `en`. */
export const consentLocaleFor = (tag: string | undefined): ConsentLocale => {
  const [language] = (tag ?? '').toLowerCase().split(/[-_]/)
  return consentLocales.find((locale) => locale === language) ?? 'en'
}

/** A lane's name in the service's own messages, which are English. */
export const laneTitle = (lane: LaneName): string => consentEn.lanes[lane].title
