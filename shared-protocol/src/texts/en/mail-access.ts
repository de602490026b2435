/** Messages about access to the service. `{organisation}` is the name that was asked for, `{until}` an instant in words. */
export const texts = {
  hello: 'Hello {name},',
  helloNobody: 'Hello,',
  subject: {
    invited: 'Your organisation is ready to be opened',
    resent: 'A new link to open your organisation',
    declined: 'About your request for access',
  },
  opening: {
    invited:
      'Your request for access for {organisation} has been approved. You are invited to open the organisation and become its first owner.',
    resent:
      'Here is a new link to open {organisation} and become its first owner. Links that you had before have ended.',
    declined:
      'Thank you for your interest. We have read your request for access for {organisation}, and cannot offer it at the moment.',
  },
  link: 'Open your organisation:',
  until:
    'The link is yours alone and works until {until}. After that the same page can send you a fresh one. Please do not pass it on.',
  theirWords: 'We would like to add:',
  declinedEnd: 'Nothing else is needed from you. You are welcome to ask again when things have changed.',
  notYou: 'If you did not ask for this, please delete this message. Without the link nothing happens.',
} as const
