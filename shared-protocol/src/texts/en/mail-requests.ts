/** The message that carries the link to a candidate's requests. `{org}` is the organisation's name, `{until}` an instant in words. */
export const texts = {
  subject: 'Your interview: the link to your requests',
  hello: 'Hello,',
  occasion: {
    asked: 'A link to your requests about your interview with {org} was asked for. Here it is:',
    answered: '{org} has written to you about a request of yours. What they wrote is on this page:',
    decided: '{org} has answered your request. The answer is on this page:',
  },
  button: 'Open the page',
  page: 'The page shows what is kept of the interview. There you can add words of your own, ask for a copy of what is kept, or ask for it to be deleted.',
  link: 'The link is yours alone and works until {until}. Please do not pass it on.',
  ends: 'Links to this page that you had before have ended.',
  contact: 'Whom to ask at {org} about your data: {contact}',
  notYou: 'If this is not about you, please delete this message. You need not do anything else.',
} as const
