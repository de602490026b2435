import type { AuthRule, EndpointSpec } from '@integrity/protocol'

const kinds: Readonly<Record<AuthRule['kind'], string>> = {
  api_key: 'an API key',
  user: 'the sign-in of a member',
  account: 'a sign-in',
  desk_operator: 'the sign-in of an operator of the access desk',
  refresh: 'the refresh token of a sign-in',
  agent: "the token of the candidate's application",
  companion: 'the token of a phone',
  room: 'the token of a device in the room',
  scim: 'a SCIM token',
  assessment: 'the key of an assessment integration',
  link: 'the token of a link',
  download: 'a download link',
  anonymous: 'no credential',
}

/** Which credentials an endpoint takes, and which one came instead. */
export const otherCredential = ({ auth }: Pick<EndpointSpec, 'auth'>, sent: AuthRule['kind']): string => {
  const taken = [...new Set(auth.map(({ kind }) => kind))].filter((kind) => kind !== sent).map((kind) => kinds[kind])
  // Of two links, the other one.
  const wanted = taken.length > 0 ? taken.join(', or ') : 'the token of another link'
  return `this takes ${wanted}; what was sent is ${kinds[sent]}`
}
