/** Every text of the page where an organisation is asked for, and opened by its first owner. */
export const texts = {
  productName: 'Access to the service',

  askTitle: 'Ask for access for your organisation',
  askText: 'Tell us who you are. Somebody reads every request and answers by e-mail.',
  shutTitle: 'Requests are not taken at the moment',
  shutText:
    'If your organisation is here already, somebody who manages it can invite you. If you have a link, please open it from its message.',
  organisation: 'Name of the organisation',
  name: 'Your name',
  email: 'Your e-mail address at work',
  emailHelp: 'The answer goes to this address.',
  country: 'Country of the organisation',
  countryChoose: 'Please choose',
  perMonth: 'About how many interviews in a month?',
  message: 'What should we know?',
  ask: 'Send the request',
  askWrong: 'Please look at the fields that are marked.',
  organisationWrong: 'Please enter the name of the organisation.',
  nameWrong: 'Please enter your name.',
  emailWrong: 'Please enter an e-mail address.',
  countryWrong: 'Please choose a country.',
  perMonthWrong: 'Please enter a whole number, or leave it empty.',
  messageWrong: 'Please write at most 2,000 characters.',
  askedTitle: 'Thank you',
  asked: 'If there is no request from this address yet, yours has been noted. The answer comes by e-mail.',
  askedAfter:
    'You need not do anything else. If nothing has come after some days, please look into the folder for unwanted mail.',

  title: 'Open {organisation}',
  invited:
    'The invitation is for {email} and works until {until}. With it the organisation is made, and you become its first owner.',
  newAccount: 'Choose a password for your new account.',
  hasAccount:
    '{email} has an account already. Enter its password. If you are signed in to it in this browser, leave the field empty.',
  password: 'Password',
  passwordWrong: 'This password cannot be used. Please choose another one, of at least 15 characters.',
  passwordMissing: 'Please enter the password of the account.',
  passwordRefused: 'This is not the password of the account.',
  slug: 'Short name in addresses',
  slugHelp: '3 to 40 of a–z, 0–9 and hyphens. If you leave it empty, it is made of the name.',
  slugWrong: 'This short name is taken, reserved or not right. Please choose another one.',
  open: 'Open the organisation',
  openedTitle: '{organisation} is open',
  openedText: 'You are its first owner, and signed in as {email}.',
  openedSlug: 'Its short name is {slug}.',

  expiredTitle: 'This invitation has expired',
  expiredText: 'You can have a fresh link sent to the same address.',
  replacedTitle: 'There is a newer link for you',
  replacedText:
    'The link in the newest message works; this one no longer does. If that one has expired too, have another one sent.',
  acceptedTitle: 'This invitation has been accepted',
  acceptedText: 'The organisation is open. Whoever accepted can sign in to it.',
  renew: 'Send a fresh link',
  renewedTitle: 'Thank you',
  renewed: 'If a fresh link was due, it is on its way to the address that was invited. One is sent in an hour at most.',
} as const
