/** The table around the consent document, the same in the window, the room and on the phone. What is collected is said by the document itself. */
export const texts = {
  consentColumnNeed: 'Needed?',
  consentColumnOften: 'How often',
  consentNeeded: 'Needed',
  consentChoice: 'Your choice',
  yes: 'Yes',
  no: 'No',
  consentFrom: 'The service records this text with your answer, in its own language:',
  consentKept: 'How long',
  consentReaders: 'Who can see it',
  consentKeptText:
    'At most {days} days after the interview; {org} commits to that. You can ask for it to be deleted earlier.',
  consentReadersText:
    'People at {org} who work with its interviews, and programs that {org} has connected, for example its hiring system. Each download is recorded, and so is each look at the live picture.',

  'why.screen': 'So that people who look at the interview later see what was on the screen while you worked.',
  'why.microphone': 'So that what you say can be heard together with what was on the screen.',
  'why.system_audio': 'So that what you were asked and what was played can be heard, apart from your own voice.',
  'why.transcript': 'So that what was said can be read and found without listening to all of it.',
  'why.camera': 'So that it can be seen who took part in the interview.',
  'why.side_view': 'So that the desk can be seen from the side.',
  'why.room_camera': 'So that the room of the interview can be seen.',
  'why.signals':
    'So that people who look at the interview can see what was running and connected, for example remote-control programs, virtual cameras or a second display, and why a part is missing.',

  'brief.second': 'Every second',
  'brief.seconds': 'Every {n} seconds',
  'brief.secondsAndClips': 'Every {n} seconds, and short clips',
  'brief.clips': 'Short clips',
  'brief.always': 'All the time',
  'brief.changes': 'When something changes',
} as const
