/** The page that says to interviewers which of their data an interview records. */
export const texts = {
  interviewerTitle: 'Your data in this interview',
  interviewerIntro:
    'You speak with a candidate in an online interview of {org}. This page says what the recording contains about you.',
  interviewerIntroName:
    '{name}, you speak with a candidate in an online interview of {org}. This page says what the recording contains about you.',
  interviewerIntroRemoved: 'This page says what the recording of an online interview of {org} contains about you.',
  interviewerIntroRemovedName:
    '{name}, this page says what the recording of an online interview of {org} contains about you.',
  interviewerRemoved:
    'You were taken off this interview on {at}. What is said below holds for what you said in it before, if you did.',
  interviewerWhen: 'Planned for',
  interviewerCancelled: 'This appointment was cancelled.',
  interviewerVoice: 'Your voice',
  interviewerVoiceYes: "It is recorded with the sound of the candidate's computer.",
  interviewerVoiceNo:
    "The sound of the candidate's computer is not recorded. Your voice is there only where the candidate's microphone hears it.",
  interviewerWords: 'Your words',
  interviewerWordsYes:
    "A program on the candidate's computer writes them down in the transcript. It cannot know who speaks, so your lines carry no name that anybody has checked.",
  interviewerWordsNo: 'They are not written down.',
  interviewerName: 'Your name and address',
  interviewerNameText: '{org} keeps them with the interview, with when and by what you were told.',
  interviewerLong: 'How long',
  interviewerLongText: 'At most {days} days after the interview. Whatever erases the interview erases this, too.',
  interviewerReaders: 'Who can see it',
  interviewerReadersText:
    'People at {org} who work with its interviews, and programs that {org} has connected, for example its hiring system. The candidate can ask for a copy of their own recording. Each download is recorded.',
  interviewerAsk: 'Whom to ask',
  interviewerAskText: 'Please write to {contact}.',
  interviewerAskOrg: 'Please ask {org}, or answer the message that brought you here.',
  interviewerNever:
    'The service makes no judgement about anybody and does not observe your computer, your screen or your camera.',
  interviewerErasedTitle: 'Your data has been erased',
  interviewerErasedText: 'The recording of this interview was erased on {at}, and with it what named you.',
  interviewerGeneralTitle: 'The data of interviewers',
  interviewerGeneralText:
    "Where the organisation asks for it, the voices of the people who speak with a candidate are recorded with the sound of the candidate's computer, and their words in a written transcript.",
  interviewerGeneralAsk:
    'The link in the message of the organisation opens what holds for your interview. If you have no such message, please ask whoever invited you to the interview.',
} as const
