/** What was reported of a lane, and what of that is held; reports and the desk say it. */
export const texts = {
  'laneAccount.off': 'Not part of this interview.',
  'laneAccount.declined': 'Declined by the candidate.',
  'laneAccount.unused': 'Nothing was expected of it.',
  'laneAccount.agent': 'The application on the computer reported {observed} of {expected}',
  'laneAccount.phone': 'The phone reported {observed} of {expected}',
  'laneAccount.room': 'The page in the room reported {observed} of {expected}',
  'laneAccount.words': '{reported}.',
  'laneAccount.held': '{reported}; the service holds {held}.',
  'laneAccount.notHeld': '{reported}; the service holds no recording of it.',
  'laneAccount.seconds': '{seconds} s',
} as const
