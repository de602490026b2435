/** Whom to ask, at the foot of a page. */
export const texts = {
  helpInviter: 'Questions? Please ask whoever invited you.',
  helpInviterNamed: 'Questions? Please ask {inviter}.',
  helpManager: 'Questions? Please ask whoever looks after this service in your organisation.',
  helpRequest: 'Questions? Write them into your request: somebody reads each one.',
  helpContact: 'Questions about your data: {contact}',
  helpSession: 'Session {id}',
} as const
