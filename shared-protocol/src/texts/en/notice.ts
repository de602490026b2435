/** What candidates read of who answers for their data: in the consent document, on the invitation and in the statement. */
export const texts = {
  'notice.controller': 'Responsible for the data: {value}.',
  'notice.basis.consent':
    'Lawful basis: the consent of the candidate, who can withdraw it at any time in the application.',
  'notice.basis.contract': 'Lawful basis: {org} needs the interview for steps before a contract with the candidate.',
  'notice.basis.legal_obligation': 'Lawful basis: a law requires the recording of {org}.',
  'notice.basis.legitimate_interests': 'Lawful basis: a legitimate interest of {org}. The candidate may object to it.',
  'notice.basis.public_task': 'Lawful basis: {org} performs a task in the public interest.',
  'notice.contact': 'Where to ask about the data, or to complain: {value}',
  'notice.alternative': 'What {org} offers to whoever does not want to be recorded: {value}',
} as const
