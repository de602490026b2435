/** Every text of the page where somebody accepts to become a member of an organisation. */
export const texts = {
  productName: 'Invitation to an organisation',

  title: '{org} invites you',
  invited: 'The invitation to become a member is for {email} and works until {until}.',
  role: 'Your role there: {role}.',
  ownerRole: 'owner',
  adminRole: 'administrator',
  interviewerRole: 'interviewer',
  reviewerRole: 'reviewer',
  theirWords: 'In their words:',

  signedIn: 'You are signed in as {email} and accept with that account.',
  otherSignedIn: 'You are signed in as {other}. When you accept, this browser is signed in as {email} instead.',
  hasAccount: '{email} has an account already. Enter its password.',
  forgot: 'Forgotten, or never set? Have a password set',
  forgotAfter: 'Then open the invitation from its message again.',
  newAccount: 'Choose a name and a password for your new account.',
  name: 'Your name',
  nameWrong: 'Please enter your name.',
  password: 'Password',
  passwordWrong:
    'This password cannot be used. Please choose another one, of at least 15 characters and not made of your name or address.',
  passwordMissing: 'Please enter the password of the account.',
  passwordRefused: 'This is not the password of the account.',
  accept: 'Accept the invitation',
  acceptAfter: 'Until you accept, nothing happens. If you do not want to, simply close this page.',

  doneTitle: 'You are a member of {org}',
  doneText: 'Your role there: {role}. You are signed in as {email}.',
  doneFactor: '{org} asks its members for a second step at sign-in. Please add one now: nothing opens before.',
  addFactor: 'Add a second step',

  acceptedTitle: 'This invitation has been accepted',
  acceptedText:
    '{email} is a member of {org}. Sign in with that account. If you do not know its password, have one set.',
  revokedTitle: 'This invitation was taken back',
  revokedText: 'If you did not expect that, please ask whoever invited you to {org}.',
  expiredTitle: 'This invitation has expired',
  expiredText: 'Please ask whoever invited you to {org} for another one. Nothing else is lost.',
  replacedTitle: 'There is a newer link for you',
  replacedText: 'The link in the newest message works; this one no longer does.',
  alreadyMemberTitle: 'You are a member already',
  alreadyMemberText: '{email} belongs to {org}. You need not accept anything: sign in with that account.',
  deactivatedTitle: 'Your membership is not active',
  deactivatedText: '{email} was a member of {org} before. Whoever manages its members can make you active again.',
  setPassword: 'Have a password set',
} as const
