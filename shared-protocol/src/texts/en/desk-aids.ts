/** Every text of the desk’s section of the aids and breaks that a candidate declared. */
export const texts = {
  reviewAidsTitle: 'Aids and breaks',
  reviewAidsText:
    'The candidate reads the same sentences. What an agreed aid switches off was not recorded, and no moment counts it.',
  reviewAidsNone: 'The candidate declared no aid.',
  'reviewAidsState.agreed': 'agreed',
  'reviewAidsState.declared': 'declared, not answered',
  'reviewAidsState.refused': 'declined by the organisation',
  reviewAidsBreaks: 'Breaks that were agreed: {count}, of up to {minutes} minutes each.',
  reviewAidsDetail: 'In the candidate’s words: {detail}',
  reviewAidsTaken: '{sum} Agreed breaks taken: {count}.',
}
