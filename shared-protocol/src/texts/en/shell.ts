/** What the program itself says outside of its window: the tray, its questions and notices. */
export const texts = {
  trayIdle: 'Interview Integrity',
  trayRecording: 'Interview Integrity: recording',
  trayPaused: 'Interview Integrity: paused',
  traySending: 'Interview Integrity: sending what is left',
  menuOpen: 'Open',
  menuPause: 'Pause',
  menuResume: 'Resume',
  menuEnd: 'End the session…',
  menuQuit: 'Quit',
  hiddenTitle: 'Recording goes on',
  hiddenRecording:
    'The window is closed, and the session goes on as before. The icon in the tray shows it. It opens the window again, as starting the program once more does.',
  hiddenSendingTitle: 'Sending goes on',
  hiddenSending: 'Nothing is recorded any more. What is left is sent, and then this program can be quit.',
  askedTitle: 'A question about the recording',
  askedText:
    'The organisation now asks for a further part. It is recorded only if you agree; what you agreed to before goes on. Open the window to read and answer, whenever it suits you.',
  quitTitle: 'Quit now?',
  quitRecording:
    'The recording stops. Reviewers will see a gap from then on, with the reason that this program was not running.',
  quitUnsent:
    'Not sent yet: {items} {items|item|items} and {events} {events|event|events} ({size}). They stay on this computer, encrypted, and are sent when you open this program again.',
  quitNothingUnsent: 'Everything recorded so far has been sent.',
  quitAgain: 'To go on with the session, open this program again before the session is over.',
  quitKeep: 'Keep running',
  quitNow: 'Quit',
  endTitle: 'End the session?',
  endText: 'The recording stops, and what is left is sent. An ended session cannot be taken up again.',
  endKeep: 'Go on with the session',
  endNow: 'End the session',
  failedTitle: 'This program could not start',
  failedText: 'Nothing is recorded. What was recorded before and not sent is still on this computer. {detail}',
} as const
