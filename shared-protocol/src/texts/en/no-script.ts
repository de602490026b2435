/** What a page says where the browser runs no script. */
export const texts = {
  title: 'This page needs JavaScript',
  roomText:
    'The page needs it to use the camera. Please switch JavaScript on for this address, then open the link again.',
  roomAfter: 'Nothing has been recorded or sent.',
  invitationText:
    'The page needs it to show your invitation. Please switch JavaScript on for this address, then open the link again.',
  invitationAfter: 'Nothing has been recorded, and the message that you got says when the interview is.',
  requestsText:
    'The page needs it to show your interview data. Please switch JavaScript on for this address, then open the link again.',
  requestsAfter: 'You can also write to whoever invited you and ask them directly.',
  accessText:
    'The page needs it to show the form and your invitation. Please switch JavaScript on for this address, then open the page again.',
  accessAfter: 'Nothing has been sent.',
  passwordText:
    'The page needs it to show the form. Please switch JavaScript on for this address, then open the page again.',
  passwordAfter: 'Your password is as it was.',
  accountText:
    'The page needs it to show your account. Please switch JavaScript on for this address, then open the page again.',
  accountAfter: 'Nothing has been changed.',
  deskText: 'The desk works with it. Please switch JavaScript on for this address, then open the page again.',
  deskAfter: 'Nothing has been changed.',
  inviteText:
    'The page needs it to show your invitation. Please switch JavaScript on for this address, then open the link again.',
  inviteAfter: 'Nothing has been accepted.',
  previewText:
    'The page needs it to show how candidates see the brand. Please switch JavaScript on for this address, then open the desk again.',
  previewAfter: 'Nothing has been changed.',
  interviewerText:
    'The page needs it to show your data. Please switch JavaScript on for this address, then open the link again.',
  interviewerAfter: 'You can also answer the message that you got and ask there.',
} as const
