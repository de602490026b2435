/** Every text of the page of a candidate's requests. */
export const texts = {
  askTitle: 'See what is kept of your interview',
  askText:
    'With a link that is sent to you, you can see what is kept of your interview, add something that should be known, and ask for a copy or for its deletion.',
  askSession: 'Number of the interview',
  askSessionHelp: 'It begins with ses_ and stands in the invitation and in the application.',
  askSessionWrong: 'Please enter the number of the interview. It begins with ses_.',
  askEmail: 'Your e-mail address',
  askEmailHelp: 'The one that the invitation was sent to.',
  askEmailWrong: 'Please enter an e-mail address.',
  askSend: 'Send me a link',
  askSentTitle: 'Thank you',
  askSent:
    'If this address was invited to this interview, a message with a link is on its way to it. The newest link works; earlier ones stop working.',
  askSentNothing:
    'If nothing has come after some minutes, please look into the folder for unwanted mail, and check the number and the address.',
  askAgain: 'Enter something else',
  askOther:
    'If you were not invited by e-mail: the application leads to the same page when the interview is over. Or ask whoever invited you.',

  expiredTitle: 'This link has expired',
  expiredText: 'What you asked for is still there. You can have a new link sent to you.',
  replacedTitle: 'There is a newer link for you',
  replacedText:
    'The link in the newest message works; this one no longer does. You can also have another one sent to you.',
  revokedTitle: 'This link was ended',
  revokedText: 'You can have a new one sent to you.',
  declinedTitle: 'This link was ended',
  declinedText: 'You can have a new one sent to you.',

  title: 'What is kept of your interview',
  about: 'The interview with {org}: {candidate}.',
  aboutNobody: 'Your interview with {org}.',
  began: 'Began',
  ended: 'Ended',
  notBegun: 'It has not begun yet.',
  stillLive: 'It has not ended yet, so this can still become more.',
  number: 'Number of the interview',
  linkUntil:
    'This page is meant for you alone. Its link works until {until}; what you ask for here stays after that, too.',

  keptTitle: 'What is kept now',
  keptNothing: 'Nothing that was recorded is kept.',
  keptAmount: '{count} ({size})',
  keptEvents: 'Events that were noted, without recordings',
  keptUntil: '{org} commits to keeping the recordings at most until {until}, {days} days after the interview.',
  keptDays: '{org} commits to keeping the recordings for at most {days} days after the interview has ended.',
  hold: 'The data of this interview is under a legal hold: for now {org} may not delete it, also after the time named above and also when you ask for it. You can ask all the same; it is decided when the hold has ended.',
  erased:
    'On {at}, everything that was recorded in this interview was deleted, and all words about you: names, addresses, messages, and what the noted events said. What stays: that, when and how often something was noted, recorded or sent, the consent that you gave, the number under which {org} knows the interview, and what you and {org} wrote to each other about the deletion.',

  wishTitle: 'What you can ask for',
  'context_statement.title': 'Add something that should be known',
  'context_statement.next':
    'People at {org} who look at this interview can read your words there, beside what was collected. This page shows when somebody has marked them as read.',
  'context_statement.words': 'Your words',
  'context_statement.send': 'Send these words',
  'access.title': 'Get a copy of what is kept',
  'access.next':
    'People at {org} who handle such requests decide on it. If they approve it, you can download the copy on this page for {copyDays} days.',
  'access.words': 'If you like, say more about it',
  'access.send': 'Ask for a copy',
  'erasure.title': 'Have what was collected deleted',
  'erasure.next':
    'People at {org} who handle such requests decide on it. If they approve it, pictures, recordings, sound and transcript are deleted at once and cannot be brought back, and so are all words about you: names, addresses, messages, what your device is, and what the noted events say, such as names of programs and windows. What stays on record: that, when and how often something was noted, recorded or sent, what you agreed to, the number under which {org} knows the interview, that you asked for something here, and what was written about the deletion itself.',
  'erasure.words': 'If you like, say more about it',
  'erasure.send': 'Ask for deletion',
  erasureLive: 'Nothing can be deleted before the interview has ended. You can ask for it already.',
  replyTo: 'Where to write to you',
  replyToHelp:
    'An e-mail address, in case you were not invited by e-mail. Otherwise you are written to at the address that was invited.',
  replyToWrong: 'This does not look like an e-mail address.',
  wordsMissing: 'Please write something first.',
  tooManyRequests:
    'So many requests were sent for this interview that no more are taken here. Please write to {org} directly.',
  sent: 'It was sent. You see it below.',
  notNew:
    'A request of this kind was already open, and it is shown below. Nothing was added to it; your words are still in the form.',
  oneOpen: 'You have sent this already, and it is still open. It stands below, under your requests.',
  oneOpenWords: 'Words that you have not sent are still here. They can be sent when the open one has ended.',

  requestsTitle: 'Your requests',
  requestsNone: 'You have not asked for anything yet.',
  sentAt: 'Sent on {at}',
  'status.received': '{org} has received it. Nobody has marked it as seen yet.',
  'status.received.answered': '{org} has received it and has written to you. It is still open.',
  'status.acknowledged': 'Somebody at {org} saw it on {at}. It is not decided yet.',
  'status.acknowledged.context_statement': 'Somebody at {org} saw it on {at}. It is not marked as read yet.',
  'status.approved': 'Approved on {at}.',
  'status.approved.erasure': 'Approved on {at}. The recordings and the words about you were deleted.',
  'status.declined': '{org} declined it on {at}.',
  'status.completed': 'Marked as read on {at}.',
  youWrote: 'You wrote on {at}:',
  orgWrote: '{org} wrote on {at}:',
  copyUntil:
    'Your copy can be downloaded here until {until}. It is one file with what is known of the interview, what you agreed to, what was noted, the transcript, what you asked for, and a list of the recordings with addresses from which each can be fetched within five minutes of the download. Download it again for new addresses.',
  copyOver: 'The time in which the copy could be downloaded is over. You can ask for it again.',
  copyGet: 'Download the copy',
  copyComing: 'The copy is being fetched. With a lot of data this takes a while.',
  copySaved: 'The copy has been saved as a file.',
  copyFailed: 'The copy could not be fetched. Please try again.',
  copyRefused: 'This copy cannot be downloaded any more.',
} as const
