/** The message to somebody who was made a member. `{org}` is the organisation's name, `{name}` the person's, `{role}` one of the roles. */
export const texts = {
  subject: 'You are now a member of {org}',
  hello: 'Hello {name},',
  helloNobody: 'Hello,',
  added: '{org} has made you a member. Your role there: {role}.',
  roles: { owner: 'owner', admin: 'administrator', interviewer: 'interviewer', reviewer: 'reviewer' },
  known: 'You need not do anything: sign in as always, with the account that you have for this address.',
  fresh: 'An account was made for this address. It has no password yet.',
  setPassword: 'Set your password on this page:',
  until: 'The link is yours alone and works until {until}. Please do not pass it on.',
  forgot: 'To set one, choose “I do not know my password” where you sign in.',
  notYou: 'If you do not expect this, please answer this message. Nobody can act in your name with it.',
} as const
