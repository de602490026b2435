/** Whom to ask, at the foot of a page. */
export const texts = {
  helpInviter: 'Questions? Please ask whoever invited you.',
  helpContact: 'Questions about your data: {contact}',
  helpSession: 'Session {id}',
} as const
