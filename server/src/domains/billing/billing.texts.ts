/** To those who manage the payments of an organisation: more than one subscription is charged. */
export const severalLetter = (baseUrl: string): { readonly subject: string; readonly text: string } => ({
  subject: 'Your organisation pays for more than one subscription',
  text: `${[
    'Your organisation has more than one subscription that is charged at the same time. The better plan is in force; nothing',
    'is taken away, and nothing is cancelled by itself.',
    '',
    'The subscription page of your organisation lists them (GET /v1/orgs/{orgId}/billing/subscription, "others"). Cancel the',
    'one that you do not need: a cancellation ends the one in force first, and the other one takes its place.',
    '',
    `Sign in at ${baseUrl}/account/ as an owner or admin.`,
  ].join('\n')}\n`,
})
