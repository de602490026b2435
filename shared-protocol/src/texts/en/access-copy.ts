/** What the page in a candidate's copy says beside what the page of the requests says. */
export const texts = {
  copyTitle: 'A copy of what is kept of your interview',
  made: 'Copy made',
  zone: 'Times are those of {zone}.',
  forPrograms: 'The same with every detail, for programs:',
  agreedTitle: 'What you answered when you were asked',
  agreedNone: 'No answer was recorded.',
  yes: 'Yes',
  no: 'No',
  recordingsTitle: 'Pictures, sound and recordings',
  wasErased: 'It was deleted.',
  unreadable: 'It could not be read, and is missing in this copy.',
  saidTitle: 'What was said, as it was written down',
  saidNone: 'Nothing was written down.',
  atStartTitle: 'What the computer noted as observing began',
  notedTitle: 'What the computer noted',
  notedNone: 'Nothing was noted.',
} as const
