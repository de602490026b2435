import type { LaneName } from './domains/interviews/lanes/lanes.registry.ts'
import { consentDocumentTexts } from './texts/areas/consent-document.ts'
import { type LanguageCode, languages } from './texts/languages.ts'

/** Every word of the consent document in one language. A lane without words does not compile. */
export interface ConsentTexts {
  /** `{every}` in a text stands for how often a picture is taken. */
  readonly lanes: Readonly<Record<LaneName, { readonly title: string; readonly text: string }>>
  readonly everySecond: string
  /** With `{n}`. */
  readonly everySeconds: string
  /** In place of the camera's text where the policy asks for clips and no pictures. */
  readonly cameraClipsOnly: string
  /** What follows a lane's text as the policy has it. */
  readonly microphoneCandidateOnly: string
  /** In place of the transcript's text where the policy keeps the candidate's words alone. */
  readonly transcriptCandidateOnly: string
  readonly screenFilm: string
  readonly cameraClips: string
  readonly signalsNever: string
  readonly signalsWithTitles: string
}

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
