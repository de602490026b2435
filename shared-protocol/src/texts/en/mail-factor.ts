/** Messages about the second step of an account's sign-in. */
export const texts = {
  hello: 'Hello,',
  addedSubject: 'A second step was added to your account',
  appAdded:
    'An authenticator app was added to the account of this address. Signing in asks for a code of it from now on.',
  passkeyAdded: 'A passkey was added to the account of this address. Signing in can ask for it from now on.',
  removedSubject: 'A second step was removed from your account',
  appRemoved: 'The authenticator app was removed from the account of this address. Its codes no longer work.',
  passkeyRemoved: 'A passkey was removed from the account of this address. It no longer works.',
  lastRemovedSubject: 'Your account has no second step any more',
  lastRemoved:
    'The last second step of the account of this address was removed, and its recovery codes with it. From now on the password alone is enough to sign in.',
  codeUsedSubject: 'A recovery code was used to sign in',
  codeUsed:
    'Somebody signed in to the account of this address with the password and a recovery code. That code does not work again.',
  notYou:
    'If it was not you, please have a new password sent to you at once, end all sign-ins on the page of your account, and tell whoever manages your organisation.',
} as const
