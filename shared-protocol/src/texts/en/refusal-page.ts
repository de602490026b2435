/** What a browser shows that came by itself, such as back from an identity provider, and is refused. */
export const texts = {
  known: {
    again: {
      title: 'This did not work',
      text: 'Nothing was changed. Please begin again at the sign-in page. If it happens again, give the line below to whoever looks after sign-in in your organisation.',
    },
    wait: {
      title: 'Too many attempts',
      text: 'Please wait a minute, then begin again at the sign-in page.',
    },
    trouble: {
      title: 'Something is out of order here',
      text: 'It is not your fault, and nothing was lost. Please try again in a few minutes.',
    },
    lost: {
      title: 'There is nothing at this address',
      text: 'The link is incomplete, or what it leads to is gone. Please begin again at the sign-in page.',
    },
    unbuilt: {
      title: 'The pages of this service are not built on this server',
      text: 'This link is right: it leads to a page of the interview service, such as an interview, a report or an invitation. Nothing was lost, and the link will work again. Whoever runs the server builds the pages with “npm start” in its folder, or installs the package again.',
    },
  },
  go: 'To the sign-in page',
  line: 'For support:',
} as const
