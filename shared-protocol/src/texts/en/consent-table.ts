/** What the table of the window and the room says beyond what the phone says too. */
export const texts = {
  consentColumnWhat: 'What',
  consentColumnAnswer: 'Your answer',
  consentWithAgreement: 'Included if you agree',
  consentReadAll: 'Read every part in full',
  consentFoldAll: 'Close the details',
  consentAsk: 'May this be recorded?',
  consentChoose: 'Please choose yes or no.',
  consentWhy: 'Why',
  consentOften: 'How often',
} as const
