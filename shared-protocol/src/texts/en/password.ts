/** Every text of the page where people set a password. */
export const texts = {
  askTitle: 'Get a new password',
  askText: 'Enter the address that you sign in with. If it has an account, a link comes to it by e-mail.',
  email: 'Your e-mail address',
  emailWrong: 'Please enter an e-mail address.',
  ask: 'Send the link',
  askedTitle: 'Check your e-mail',
  asked:
    'If there is an account for this address, a link is on its way. It works once, within an hour; at most three are sent in an hour.',
  askAgain: 'Enter another address',
  askedSso:
    'If you sign in through your organisation, your organisation keeps the password: please ask the person who manages it there.',

  setTitle: 'Set your password',
  setText: 'Setting it signs you out everywhere, on this device and on all others.',
  password: 'New password',
  passwordWrong:
    'This password cannot be used. Please choose another one, of at least 15 characters (8 if the account has a second step) and not made of your name or address.',
  setHelp:
    'At least 15 characters, or 8 if your account has a second step. A few words that you can remember are good.',
  set: 'Set the password',
  doneTitle: 'Your password is set',
  signIn: 'Sign in',
  doneText: 'You can sign in with it now.',

  usedTitle: 'This link was used already',
  usedText: 'The password that was set with it is in force. If you do not know it any more, have another link sent.',
  replacedTitle: 'This link does not work any more',
  replacedText: 'A password was set by another link. If you do not know it any more, have another link sent.',
  expiredTitle: 'This link has expired',
  expiredText: 'Your password is as it was. You can have another link sent.',
  another: 'Have another link sent',
} as const
