/** Every text of the invitation's page. What will be asked for is said by the service, not here. */
export const texts = {
  title: 'You are invited to an interview',
  hello: 'Hello {name},',
  invites: '{org} invites you to an interview.',
  invitesBy: '{person} of {org} invites you to an interview.',
  personal: 'This page is meant for you alone, so please do not pass its link on. The link works until {until}.',

  whenTitle: 'When',
  whenText: '{when} ({zone})',
  whenLong: 'Planned length: {duration}',
  whenTheirs: 'On the clocks of the organisation: {when} ({zone})',
  whenNew: 'This time was set on {at}. Any earlier time no longer applies.',
  whenOpen: 'No time has been set yet. You get a message when there is one.',
  calendar: 'Add to my calendar',
  calendarSaved: 'The calendar file has been saved. Please open it with your calendar.',
  calendarCancelled: 'Get the calendar file that removes it',
  calendarNone: 'There is no appointment at the moment, so there is no calendar file.',
  cancelledTitle: 'This appointment was cancelled',
  cancelledWas: 'It was planned for {when} ({zone}).',
  cancelledText:
    '{org} cancelled it on {at}. There is nothing you have to do. If a new time is set, you get a message.',

  askedTitle: 'What you will be asked for',
  askedText:
    'Before the interview begins, the application asks whether it may collect what is listed here. Take your time to read it. Nothing is agreed on this page; you decide in the application, and you can change your mind later.',
  askedNothing: 'At the moment the organisation does not ask for anything.',
  askedRead: 'Read what will be asked for',
  askedRequired: 'The organisation has marked this as required.',
  askedOptional: 'You may decline this.',
  askedKept: '{org} commits to keeping what was collected for at most {days} days after the interview.',
  askedLanguage: 'This part is the text that the service records, in its own language.',

  getTitle: 'Get the application',
  getText: 'The interview uses an application on your computer. Please install it before the day of the interview.',
  getPhone:
    'It runs on computers. You seem to be reading this on a phone or a tablet: please open the same message on the computer that you will use.',
  getNone: 'There is no download here yet. If you need the application, ask {org} with the form below.',
  getElsewhere: 'For other computers',
  getElsewhereOnly: 'There is no version for the computer that you are using now. There are versions for:',
  getBuild: '{name}, version {version}, {size}',

  openTitle: 'Open the application',
  openFrom: 'The button appears here at {at}, 15 minutes before the interview.',
  openMeanwhile: 'Until then, please install the application. This link stays the same unless you get a newer message.',
  openNews: 'You can open the application now.',
  openText:
    'When you are ready, this button gets a code and opens the application with it. Opening it does not start the interview: first it shows you what it asks for.',
  openTaken:
    'The application opens with this code. Opening it does not start the interview: first it shows you what it asks for.',
  open: 'Open the application',
  openAgain: 'Open it with this code',
  codeTitle: 'Your code',
  codeCopy: 'Copy the code',
  codeCopied: 'Copied.',
  codeSelected: 'The code is selected. Copy it with the keyboard.',
  codeUntil: 'It works once, until {until}.',
  codeNothing:
    'If nothing opens: start the application yourself and type the code there. If your browser asks whether it may open the application, please say yes.',
  codeServer: 'If the application asks for the address of the service, it is this:',
  codeNew: 'Get another code',
  codeUsed: 'The application has used a code. If it asks for one again, get another.',
  codeConflict: 'No code can be given now: the appointment was cancelled, or the interview has ended.',
  codeTooMany: 'You got many codes within the last hour. Please use the newest one, or wait a while.',

  stepsTitle: 'Your progress',
  stepDone: 'done, {at}',
  stepOpen: 'not yet',
  stepNone: 'not recorded',
  stepNews: 'New: {step}',
  'step.opened': 'You opened this invitation',
  'step.ticket': 'You got a code',
  'step.joined': 'The application is connected',
  'step.consented': 'You answered the consent questions',
  'step.live': 'The interview has begun',
  'step.ended': 'The interview has ended',

  writeTitle: 'Help: write to the team',
  writeText:
    'Your message goes to {org} by e-mail. This service does not keep it. Asking for something changes nothing about your interview by itself.',
  writeTopic: 'What is it about?',
  'topic.accommodation': 'Something that would make the interview easier for me',
  'topic.question': 'A question',
  'topic.new_time': 'Another time',
  writeWords: 'Your message',
  writeWordsMissing: 'Please write something first.',
  writeReply: 'Where to answer',
  writeReplyHelp: 'An e-mail address. Without one the answer goes to the address that was invited.',
  writeReplyWrong: 'This does not look like an e-mail address.',
  writeSend: 'Send the message',
  writeNumber: 'Session number, in case you are asked for it: {number}',
  writeSent: 'Your message was sent at {at}.',

  dataTitle: 'Your data',
  dataText:
    'During and after the interview you can see your interview data, add a comment for the reviewers, and ask for a copy or for its deletion.',
  dataTextOver:
    'You can see the data about you and about an interview that took place, and ask for a copy or for its deletion.',
  dataOpen: 'See your data, or ask for it',

  declineTitle: 'If you do not want to take part',
  declineText: 'You can decline. You do not have to give a reason.',
  decline: 'Decline the invitation',
  declineQuestion: 'Decline this invitation?',
  declineMeans:
    'The service tells {org} by e-mail that you are not taking part, and this link stops working. If you change your mind later, {org} can invite you again.',
  declineReason: 'If you like, say why',
  declineConfirm: 'Decline',
  declineConflict:
    'The interview has begun or has ended, so the invitation can no longer be declined. You can end the interview in the application at any time.',

  endedTitle: 'The interview has ended',
  endedText:
    'Nothing more is recorded. What the application has not sent yet may still arrive. You may close this page.',
  closedTitle: 'This interview was closed before it began',
  closedText:
    'Nothing was recorded, and there is nothing you have to do. If you did not expect that, please write to the team below.',
  noneTitle: 'This page opens with a link',
  noneText: 'Please open the link in the message that you got. Nothing has been recorded.',
  expiredTitle: 'This invitation has expired',
  expiredText: 'If you still need it, please ask whoever invited you to send it again.',
  replacedTitle: 'There is a newer message for you',
  replacedText:
    'The invitation was sent again, perhaps because the time has changed. The link in the newest message works; this one no longer does.',
  revokedTitle: 'This invitation was withdrawn',
  revokedText: 'Whoever invited you has ended this link. If you did not expect that, please ask them.',
  declinedTitle: 'You have declined',
  declinedText:
    'Nothing was recorded, and this link no longer works. If you change your mind, whoever invited you can invite you again.',
} as const
