/** The languages that candidates are spoken to in. A further one is a folder beside this file and a line here. */
export const languages = [
  { code: 'en', name: 'English', direction: 'ltr', script: 'Latin', dates: 'en-GB' },
  { code: 'hi', name: 'हिन्दी', direction: 'ltr', script: 'Devanagari', dates: 'hi-IN-u-hc-h23-nu-latn' },
] as const satisfies readonly [LanguageFacts, ...LanguageFacts[]]

interface LanguageFacts {
  /** BCP 47; the name of its folder. */
  readonly code: string
  /** In the language itself. */
  readonly name: string
  readonly direction: 'ltr' | 'rtl'
  /** Unicode's name of the letters that it is written in. */
  readonly script: string
  /** BCP 47 of how dates stand in letters: the order of day and month, the clock, digits that everybody reads. */
  readonly dates: string
}

export type LanguageCode = (typeof languages)[number]['code']
