/** Messages about single sign-on. */
export const texts = {
  hello: 'Hello,',
  passwordUsedSubject: 'An owner signed in with a password',
  passwordUsed:
    'The owner {address} signed in with a password. Your organisation requires single sign-on; owners keep their password as the way back in.',
  notThem:
    'If this was not expected, please ask them. Whoever it was, the sign-in can be ended on the page of that account, and a new password ends it too.',
  linkedSubject: 'Your account is linked to the single sign-on of {org}',
  linked:
    '{org} signed you in by its identity provider or directory, with this address. Your account is linked to it from now on. Such a sign-in counts in {org} alone: your other organisations and the account itself stay closed to it.',
  agreeSubject: 'Let the single sign-on of {org} open your other organisations',
  agreeHow:
    'If you want to enter your other organisations by it as well, sign in and open this link. Whoever runs the single sign-on of {org} can then enter them in your name. If you do not want that, do nothing.',
  agreeLink: 'Let the single sign-on of {org} count everywhere',
  until: 'The link works once, and until {until}.',
  linkedNotYou:
    'If you do not know {org}, please do not reply to anybody there, and tell the operator of this service.',
  domainMissingSubject: 'The record that proves {domain} is missing',
  domainMissing:
    'The TXT record {record} was not found in the DNS of {domain}. If the record is not back by {until}, the domain is no longer verified: people with an address of the domain then cannot use your single sign-on, and are no longer required to.',
  domainMissingHow: 'The record must have the value {value}. The service looks for it once a day.',
  domainEndedSubject: '{domain} is no longer verified',
  domainEnded: {
    missing: 'The TXT record that proves {domain} has been missing for too long. The domain is no longer verified.',
    proved_elsewhere:
      'Another organisation has proved by a new TXT record that {domain} is theirs. It is no longer verified for you.',
  },
  domainEndedHow:
    'Sign-ins of people with an address of it that your single sign-on vouched for have ended. You can prove the domain again in the settings.',
} as const
