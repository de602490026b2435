/** On the desk's page of an interview: which interviewers were told that their voice is recorded. */
export const texts = {
  interviewersTitle: 'Interviewers',
  'interviewersRecorded.both':
    "The voices of interviewers are recorded with the computer's sound, and their words in the transcript.",
  'interviewersRecorded.voice': "The voices of interviewers are recorded with the computer's sound.",
  'interviewersRecorded.words': 'The words of interviewers are recorded in the transcript.',
  'interviewersRecorded.neither': 'Only the candidate is recorded, not the interviewers.',
  interviewersNone: 'Nobody who speaks with the candidate has been told by the service yet.',
  'interviewersTold.mail': 'told by mail on {at}',
  'interviewersTold.calendar': 'told by calendar on {at}',
  'interviewersTold.page': 'read the page on {at}',
  'interviewersDelivery.queued': 'the message waits to be sent',
  'interviewersDelivery.refused': 'the mail server refused the message',
  interviewersAdd: 'Tell an interviewer',
  interviewersAddress: 'E-mail address of the interviewer',
  interviewersName: 'Name of the interviewer',
  interviewersLanguage: 'Language of the message',
  interviewersWrong: 'This is no e-mail address.',
  interviewersSend: 'Send the message',
  interviewersCorrectOf: 'Correct {who}',
  interviewersSave: 'Save the correction',
  interviewersMoves: 'Somebody at another address gets a new message with a new link; the earlier link ends.',
  interviewersNotCorrected:
    'The interview has ended, somebody took this interviewer off, or another interviewer has this address.',
  interviewersRemove: 'Take off',
  interviewersRemoveOf: 'Take off {who}',
  interviewersRemoveTitle: 'Take {who} off this interview?',
  interviewersRemoveText:
    'Before the interview, a message tells whoever was written to, and takes the appointment out of their calendar. Their page says that they were taken off.',
  interviewersRemoveNo: 'Leave as it is',
  interviewersConflict: 'The interview has ended, or as many interviewers as there may be have been told.',
} as const
