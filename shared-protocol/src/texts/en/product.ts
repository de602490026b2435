/** What every page, the window and the phone have around them: one name and the language. */
export const texts = {
  productName: 'Interview Integrity',
  languageLabel: 'Language',
} as const
