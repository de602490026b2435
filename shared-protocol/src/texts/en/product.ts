/** What every page, the window and the phone have around them: one name, the language, whom to ask. */
export const texts = {
  productName: 'Interview Integrity',
  languageLabel: 'Language',
  helpInviter: 'Questions? Please ask whoever invited you.',
  helpContact: 'Questions about your data: {contact}',
  helpSession: 'Session {id}',
} as const
