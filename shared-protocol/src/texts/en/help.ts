/** Whom to ask, at the foot of a page. */
export const texts = {
  helpInviter: 'Questions? Please ask whoever invited you.',
  helpInviterNamed: 'Questions? Please ask {inviter}.',
  helpManager: 'Questions? Please ask the person who manages this service in your organisation.',
  helpRequest: 'Questions? Write them into your request: a person reads each one.',
  helpContact: 'Questions about your data: {contact}',
  helpSession: 'Session {id}',
} as const
