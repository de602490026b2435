/** What interviewers are written: that their voice is recorded, and when the interview is. `{org}`, `{name}` and so on are filled in. */
export interface InterviewerMailTexts {
  readonly subject: Readonly<Record<'told' | 'set' | 'moved' | 'cancelled' | 'removed', string>>
  readonly hello: string
  readonly helloName: string
  /** What this message is about. */
  readonly opening: InterviewerMailTexts['subject']
  readonly when: string
  readonly inUtc: string
  readonly howLong: string
  readonly noTimeYet: string
  /** The one sentence, by what the policy records of them. */
  readonly recorded: Readonly<Record<'both' | 'voice' | 'words' | 'neither', string>>
  readonly cancelledMeans: string
  readonly link: string
  readonly button: string
  readonly contact: string
  readonly calendarTitle: string
}

export const texts: InterviewerMailTexts = {
  subject: {
    told: 'You speak in a recorded interview: {org}',
    set: 'A time for an interview in which you speak: {org}',
    moved: 'A new time for an interview in which you speak: {org}',
    cancelled: 'An interview in which you would speak was cancelled: {org}',
    removed: 'You were taken off an interview: {org}',
  },
  hello: 'Hello,',
  helloName: 'Hello {name},',
  opening: {
    told: '{org} has named you as somebody who speaks with a candidate in an online interview.',
    set: '{org} has set a time for an online interview in which you speak with a candidate.',
    moved:
      'The time of an online interview of {org} in which you speak with a candidate has changed. This is the new one:',
    cancelled:
      '{org} has cancelled the appointment for an online interview in which you would have spoken with a candidate. It was planned for:',
    removed:
      '{org} has taken you off an online interview in which you would have spoken with a candidate. The interview itself may take place without you.',
  },
  when: 'When:      {time}',
  inUtc: 'In UTC:    {time}',
  howLong: 'How long:  {n} minutes',
  noTimeYet: 'There is no time yet. You will get another message when one has been set.',
  recorded: {
    both: "Your voice is recorded with the sound of the candidate's computer, and your words in a written transcript.",
    voice: "Your voice is recorded with the sound of the candidate's computer.",
    words: "Your words are recorded in a written transcript; the sound of the candidate's computer is not.",
    neither: "Only the candidate is recorded: your voice is there only where the candidate's microphone hears it.",
  },
  cancelledMeans: 'You need not do anything. The file with this message takes the appointment out of your calendar.',
  link: 'Your data in this interview: what is recorded, for how long, who can see it, and whom to ask:',
  button: 'See your data',
  contact: 'Contact at {org} for questions about your data: {contact}',
  calendarTitle: 'Interview for {org}',
}
