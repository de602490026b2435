/** What the pages behind e-mailed links have in common. `{name}` is filled in. */
export const texts = {
  reload: 'Reload',
  brokenTitle: 'Something went wrong on this page',
  brokenText: 'Please reload the page. What you wrote is still here.',

  openingTitle: 'One moment, please',
  openingText: 'The page is being opened.',
  offlineTitle: 'The service cannot be reached',
  offlineText: 'This page tries again by itself. Please check the network of this computer.',
  troubleTitle: 'The service cannot answer at the moment',
  troubleText: 'It is not your fault. This page tries again by itself.',
  tryNow: 'Try now',

  wrongTitle: 'This link does not work',
  wrongText:
    'It may have been copied incompletely, or it may belong to another service. Please open it from the message again.',

  passwordHelp: 'At least 15 characters. A few words that you can remember are good.',
  passwordShow: 'Show the password',
  passwordHide: 'Hide the password',
  secretShow: 'Show what is typed',
  secretHide: 'Hide what is typed',
  secondFactor:
    'This account has a second step. Please sign in to it in this browser first, then open the link from the message again.',

  cancel: 'Go back',
  optional: '(optional)',
  sending: 'One moment …',
  notReached: 'The service cannot be reached at the moment. Please try again; what you wrote stays here.',
  tooMany:
    'There were many attempts within a short time. Please wait a while, then try again; what you wrote stays here.',
  notAccepted: 'The service did not accept this. What you wrote stays here.',
} as const
