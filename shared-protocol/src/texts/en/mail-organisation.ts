/** Messages to those who see to an organisation's recordings and payments. */
export const texts = {
  hello: 'Hello,',
  dueSubject: 'Recordings are due to be deleted',
  overdueSubject: 'Recordings are kept longer than promised',
  due: 'Interviews whose recordings are due to be deleted within a week, or are overdue already: {soon}.',
  overdue:
    '{overdue} of them are overdue ({objects} recordings): the time that the candidates were promised has passed, or the limit of your organisation or its plan where that is shorter.',
  dueHow:
    'The service deletes nothing by itself. A member who manages retention deletes what is due by a retention run of the organisation {orgId}; an operator of the service can do it by the command "admin retention run --org {orgId}".',
  dueHold: 'To keep an interview for a legal reason, place a legal hold on it before.',
  dueAgain: 'You get this message once a week while something is due.',
  severalSubject: 'Your organisation pays for more than one subscription',
  several:
    'Your organisation has more than one subscription that is charged at the same time. The better plan is in force; nothing is taken away, and no subscription is cancelled by itself.',
  severalHow:
    'Please cancel the one that you do not need. A cancellation ends the subscription in force first, and the other one takes its place.',
  severalLink: 'Sign in as somebody who manages payments:',
} as const
