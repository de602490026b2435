/** What candidates are written. `{org}`, `{name}`, `{minutes}` and so on are filled in. */
export interface InvitationTexts {
  readonly subject: Readonly<Record<'invited' | 'again' | 'set' | 'moved' | 'cancelled', string>>
  readonly hello: string
  readonly helloName: string
  /** What this message is about. */
  readonly opening: InvitationTexts['subject']
  readonly when: string
  readonly inUtc: string
  readonly howLong: string
  readonly who: string
  readonly minutes: string
  readonly noTimeYet: string
  readonly link: string
  readonly button: string
  readonly whatItDoes: string
  readonly personal: string
  /** Where a message before this one held another link. */
  readonly replaces: string
  readonly cancelledLink: string
  readonly earlierLink: string
  /** Where the invitation or the session has ended with the appointment. */
  readonly withdrawn: string
  readonly withdrawnCalendar: string
  readonly ownWords: string
  readonly questions: string
  readonly questionsByReply: string
  readonly laterData: string
  readonly contact: string
  readonly calendarTitle: string
  readonly calendarText: string
  /** The same in a message, which holds the link itself. */
  readonly calendarInMail: string
}

export const texts: InvitationTexts = {
  subject: {
    invited: 'Invitation to an interview: {org}',
    again: 'Invitation to an interview: {org}',
    set: 'A time for your interview: {org}',
    moved: 'A new time for your interview: {org}',
    cancelled: 'Your interview was cancelled: {org}',
  },
  hello: 'Hello,',
  helloName: 'Hello {name},',
  opening: {
    invited: '{org} invites you to an online interview.',
    again: '{org} invites you to an online interview. This message holds a new link.',
    set: '{org} has set a time for your online interview.',
    moved: 'The time of your online interview with {org} has changed. This is the new one:',
    cancelled: '{org} has cancelled the appointment for your online interview. It was planned for:',
  },
  when: 'When:      {time}',
  inUtc: 'In UTC:    {time}',
  howLong: 'How long:  {minutes}',
  who: 'Invited by: {person}',
  minutes: '{n} minutes',
  noTimeYet: 'There is no time yet. You will get another message when one has been set.',
  link: 'Your page for this interview:',
  button: 'Open your page',
  whatItDoes:
    'There you can take your time to read what would be recorded, get the application, add the interview to your calendar, write to the team, or decline. Opening the page starts nothing: nothing is recorded before you have agreed to it in the application.',
  personal:
    'The link is for you alone. Whoever has it can act in your place, so please do not pass it on. It works until {until}.',
  replaces: 'Links in earlier messages no longer work.',
  cancelledLink:
    'You need not do anything. On your page you can write to the team. Should there be a new time, you will get another message.',
  earlierLink:
    'You need not do anything. The link in our earlier message still opens your page, where you can write to the team. Should there be a new time, you will get another message.',
  withdrawn: 'Your online interview with {org} will not take place as planned. It was planned for:',
  withdrawnCalendar:
    'You need not do anything. The file with this message takes the appointment out of your calendar. The link of our earlier messages no longer works.',
  ownWords: '{org} adds, in their own words:',
  questions:
    'If you have a question, or if something would make the interview easier for you, write to the team from your page.',
  questionsByReply:
    'If you have a question, or if something would make the interview easier for you, write to the team from your page, or answer this message.',
  laterData:
    'At any later time you can see the data about you, add a comment for the reviewers, or ask for the data to be deleted, here:',
  contact: 'Contact at {org} for questions about your data: {contact}',
  calendarTitle: 'Interview with {org}',
  calendarText: 'Your page for this interview, for you alone:\n{url}\n\nLocal time when this was made: {time}',
  calendarInMail:
    'The link to your page for this interview is in the message that this came with.\n\nLocal time when this was made: {time}',
}
