/** The message that carries the link to a candidate's requests. `{org}` is the organisation's name, `{until}` an instant in words. */
export const texts = {
  subject: {
    asked: 'Your interview data: the link to your page',
    answered: 'Your interview data: a message from {org}',
    decided: 'Your interview data: {org} has answered your request',
  },
  hello: 'Hello,',
  occasion: {
    asked: 'Somebody asked for the link to your data from the interview with {org}. Here it is:',
    answered: '{org} has written to you about a request of yours. What they wrote is on this page:',
    decided: '{org} has answered your request. The answer is on this page:',
  },
  button: 'Open the page',
  page: 'The page shows your interview data. There you can add a comment for the reviewers, ask for a copy of your data, or ask for it to be deleted.',
  link: 'The link is yours alone and works until {until}. Please do not pass it on.',
  ends: 'Links to this page that you had before have ended.',
  contact: 'Contact at {org} for questions about your data: {contact}',
  notYou: 'If this is not about you, please delete this message. You need not do anything else.',
} as const
