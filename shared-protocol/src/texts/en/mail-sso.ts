/** Messages about single sign-on. */
export const texts = {
  hello: 'Hello,',
  passwordUsedSubject: 'An owner signed in with a password',
  passwordUsed:
    'The owner {address} signed in with a password. Your organisation requires single sign-on; owners keep their password as the way back in.',
  notThem:
    'If this was not expected, please ask them. Whoever it was, the sign-in can be ended on the page of that account, and a new password ends it too.',
} as const
