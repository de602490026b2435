/** What a page says where the browser runs no script. */
export const texts = {
  title: 'This page needs JavaScript',
  roomText:
    'The camera can be used only with it. Please switch JavaScript on for this address, then open the link again.',
  roomAfter: 'Nothing has been recorded or sent.',
  invitationText:
    'Your invitation is shown with it. Please switch JavaScript on for this address, then open the link again.',
  invitationAfter: 'Nothing has been recorded, and the message that you got says when the interview is.',
  requestsText:
    'What is kept of your interview is shown with it. Please switch JavaScript on for this address, then open the link again.',
  requestsAfter: 'You can also write to whoever invited you and ask them directly.',
  accessText:
    'The form and your invitation are shown with it. Please switch JavaScript on for this address, then open the page again.',
  accessAfter: 'Nothing has been sent.',
  passwordText: 'The form is shown with it. Please switch JavaScript on for this address, then open the page again.',
  passwordAfter: 'Your password is as it was.',
  accountText: 'Your account is shown with it. Please switch JavaScript on for this address, then open the page again.',
  accountAfter: 'Nothing has been changed.',
  deskText: 'The desk works with it. Please switch JavaScript on for this address, then open the page again.',
  deskAfter: 'Nothing has been changed.',
  inviteText:
    'Your invitation is shown with it. Please switch JavaScript on for this address, then open the link again.',
  inviteAfter: 'Nothing has been accepted.',
} as const
