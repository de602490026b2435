/**
 * What an answer, or a mail that an endpoint sends, hands on that acts beyond the request: a secret, or what somebody may do.
 * `asks` is what whoever takes it must hold beside what the endpoint itself asks for. `nothing_more`: what is handed on reaches
 * no further than that. `what_it_gives`: every permission that is handed on. `everything`: every permission there is. `owner`:
 * to be an owner, as what is handed on reaches owners as well.
 */
export const grantKinds = {
  api_key: { summary: 'The secret of an API key, which acts with its scopes.', asks: 'what_it_gives' },
  role: { summary: 'A role: of a member, of who accepts an invite, or of all who hold it.', asks: 'what_it_gives' },
  identity_provider: { summary: 'Who vouches for members, and what role new ones get.', asks: 'owner' },
  provisioning_token: { summary: 'A token that adds, changes and deactivates members (SCIM).', asks: 'everything' },
  organisation: { summary: 'The first ownership of a new organisation.', asks: 'nothing_more' },
  sign_in: { summary: 'A sign-in of an account, or the step before one.', asks: 'nothing_more' },
  account_factor: { summary: 'A factor or recovery codes of the own account.', asks: 'nothing_more' },
  account_link: { summary: 'A mailed link that sets a password, or answers for an account.', asks: 'nothing_more' },
  session_link: { summary: 'A token, code or mailed link into one session.', asks: 'nothing_more' },
  object_link: { summary: 'A link that opens one object for some minutes.', asks: 'nothing_more' },
  webhook_secret: { summary: 'The secret that signs events to a webhook.', asks: 'nothing_more' },
  inbound_secret: { summary: 'The secret that signs what another system sends here.', asks: 'nothing_more' },
  evidence_recipient: {
    summary: 'A key of the organisation that new evidence is sealed to as well.',
    asks: 'nothing_more',
  },
} as const satisfies Record<
  string,
  { readonly summary: string; readonly asks: 'nothing_more' | 'what_it_gives' | 'everything' | 'owner' }
>
export type GrantKind = keyof typeof grantKinds
