/** Messages about the password of an account. */
export const texts = {
  hello: 'Hello,',
  subject: 'Set a new password',
  asked: 'Somebody asked for a new password for the account of this address.',
  link: 'Set it on this page:',
  until: 'The link works once, until {until}. Please do not pass it on.',
  notYou: 'If it was not you, you need not do anything: the password stays as it is.',
  changedSubject: 'Your password was changed',
  changed: 'A new password was set for the account of this address, and every sign-in of it was ended.',
  changedNotYou:
    'If it was not you, please have a new password sent to you at once, and tell whoever manages your organisation.',
} as const
