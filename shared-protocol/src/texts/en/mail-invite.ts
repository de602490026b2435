/** The invitation to become a member. `{org}` is the organisation's name, `{role}` one of the roles or a name of the organisation's own. */
export const texts = {
  subject: '{org} invites you',
  hello: 'Hello,',
  invited: '{org} invites you to become a member. Your role there: {role}.',
  roles: { owner: 'owner', admin: 'administrator', interviewer: 'interviewer', reviewer: 'reviewer' },
  theirWords: 'In their words:',
  link: 'Read the invitation and accept it on this page:',
  button: 'Read the invitation',
  how: 'If you have an account for this address, you accept with it. If you have none, you choose a name and a password there. Until you accept, nothing happens.',
  until: 'The link is yours alone and works until {until}. Please do not pass it on.',
  questions: 'If you have a question, answer this message.',
  notYou: 'If you do not expect this, you can simply delete this message.',
} as const
