/** What the page in a candidate's copy says beside what the page of the requests says. */
export const texts = {
  copyTitle: 'A copy of your interview data',
  made: 'Copy made',
  zone: 'Times are those of {zone}.',
  forPrograms: 'The same data with every detail, as a file for programs:',
  agreedTitle: 'What you answered when you were asked',
  agreedNone: 'No answer was recorded.',
  yes: 'Yes',
  no: 'No',
  recordingsTitle: 'Pictures, sound and recordings',
  wasErased: 'It was deleted.',
  unreadable: 'It could not be read, and is missing in this copy.',
  saidTitle: 'Transcript',
  saidNone: 'There is no transcript.',
  atStartTitle: 'What the program saw each time the recording started',
  notedTitle: 'Events on the computer',
  notedNone: 'No events were recorded.',
} as const
