import type { LaneName } from './domains/lanes/lanes.registry.ts'
import { consentDocumentTexts } from './texts/areas/consent-document.ts'
import type { ConsentTexts } from './texts/en/consent-document.ts'
import { type LanguageCode, languages } from './texts/languages.ts'

/** The languages that a consent document is written in, as BCP 47 tags; the first one for whoever asks for another. */
export const consentLocales: readonly LanguageCode[] = languages.map(({ code }) => code)
export type ConsentLocale = LanguageCode

export const consentTexts: Readonly<Record<ConsentLocale, ConsentTexts>> = consentDocumentTexts

/** The language of the document for a BCP 47 tag: `hi-IN` gives `hi`; what is not there, or is no tag, gives `en`. */
export const consentLocaleFor = (tag: string | undefined): ConsentLocale => {
  const [language] = (tag ?? '').toLowerCase().split(/[-_]/)
  return consentLocales.find((locale) => locale === language) ?? 'en'
}

/** A lane's name in the service's own messages, which are English. */
export const laneTitle = (lane: LaneName): string => consentTexts.en.lanes[lane].title
