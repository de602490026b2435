/** Who asks, and what is asked. What is collected is said by the service's own document, not here. */
export const texts = {
  whoTitle: 'Who is asking',
  whoAsks: '{org} would like to record parts of your interview.',
  whoWhen: 'The interview',
  whoInviter: 'Invited by',
  whoOrg: 'The organisation',
  whoServer: 'The service',
  whoIs: 'What this program is',
  whoIsText:
    'It records only what you agree to on the next page, shows you all the time what that is, and ends with the interview.',
  whoIsNot: 'What it is not',
  whoIsNotText:
    'It does not rate you or draw conclusions. It does not control this computer, it does not read your files or key strokes, and it does not start by itself.',
  whoCall: 'Video call',
  whoApps: 'Programs the interview needs',
  whoNext: 'Read what would be recorded',

  consentTitle: 'What may be recorded?',
  consentIntro: 'Nothing has been recorded so far. Press a name to read exactly what it means, and why.',
  consentRequiredText:
    '{org} has marked this part as needed. If you do not want it, you can decline everything; {org} then decides what happens next.',
  consentOptionalText:
    'If you say no, this part is not recorded. Reviewers see that you chose not to share it, nothing else.',

  'often.everySecond': 'A picture every second.',
  'often.every': 'A picture every {n} seconds.',
  'often.onChange':
    'A picture of each display every {n} seconds if it has changed, and one when another program comes to the front.',
  'often.film': 'A film as well, all the time.',
  'often.clips': 'Short clips of {n} seconds as well.',
  'often.sound': 'All the time, in parts of {n} seconds.',
  'often.words': 'All the time, as words are spoken.',
  'often.events': 'Each time one of these things changes.',
  'often.onlyClips': 'Short clips of {n} seconds.',

  changesTitle: 'The text has changed while you were reading',
  changesText: 'This is what is different. Nothing has been recorded. Please answer the parts that changed again.',
  'change.lane_added': 'New: {title}',
  'change.lane_removed': 'No longer asked for: {title}',
  'change.lane_text': 'New wording: {title}',
  'change.lane_required': 'Now needed for this interview: {title}',
  'change.lane_optional': 'Now your choice: {title}',
  'change.retention': 'How long it is kept: now at most {days} days, before {before}.',
  changeBefore: 'Before: {before}',

  generalTitle: 'More about how it is recorded on this computer',
  consentPause: 'You may pause the recording and go on later.',
  consentNoPause: 'This interview has no pause. You can end the recording at any time.',
  consentDevice:
    'If you agree, the service also receives this computer’s name, its operating system version and its time zone.',
  consentStop:
    'You can withdraw a part or end at any time. Recording begins only after you have tried your devices and pressed the button for it.',
  consentPhone: 'A phone can be connected as a side camera later. It asks you separately.',
  consentStored: 'On this computer everything is kept encrypted, and only until the service has it.',
  consentStoredBasic:
    'On this computer everything is kept encrypted, and only until the service has it. This computer has no protected key store, so other programs running under your account could read it.',

  capabilitiesTitle: 'What this computer cannot observe',
  capabilitiesText:
    'The record will say that this computer cannot observe these things. You do not have to do anything.',
  capabilitiesNone: 'Everything that is listed above can be observed on this computer.',
  'observer.displays': 'Displays',
  'observer.foreground': 'The program in front',
  'observer.idle': 'Times without key or mouse',
  'observer.network': 'Network changes',
  'observer.processes': 'Remote-control and screen-sharing programs',
  'observer.virtual_machine': 'Whether the computer is a virtual one',
  'observer.clock': 'Changes of the clock',
  'observer.devices': 'Cameras and sound devices',
  'observer.screen_lock': 'Locking of the screen',
  'observer.sleep': 'Sleep of the computer',
  'observer.clipboard': 'That the clipboard was used',
  'observer.excluded_windows': 'Windows that are kept out of pictures of the screen',
  'observer.listeners': 'Programs that record sound or camera',
  'observer.output_devices': 'The device that plays sound',
  'observer.hid': 'Number of keyboards and mice',
  'observer.display_identity': 'Socket and maker of displays',
  'observer.remote_session': 'Whether the desktop is shown on another computer',
  'observer.input_origin': 'Keys that programs send',
  'observer.picture_unchanged': 'Whether the picture of the camera stays the same',

  answerAgree: 'Agree as chosen above',
  answerDecline: 'Decline everything',
  answerMissing: 'Please answer yes or no for: {titles}',
  confirmAgreeTitle: 'Send this answer?',
  confirmAgreeText: 'You agree to:',
  confirmAgreeNo: 'You decline:',
  confirmAgreeNext: 'Next you try your devices. Nothing is recorded yet.',
  confirmDeclineTitle: 'Decline everything?',
  confirmDeclineText: 'Nothing is recorded. Your answer is sent to {org}, which decides what happens next.',
  confirmSend: 'Send this answer',
} as const
