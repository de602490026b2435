import { BlockedTarget } from '../http-out/guarded-connector.ts'

/** Why an identity provider's answer is not taken, each with words for who has set it up; never with what the provider said. */
const oidcFaults = {
  blocked: 'the address of the identity provider is in a private network, and this service connects to none',
  unreachable: 'the identity provider cannot be reached, or its certificate is not trusted',
  slow: 'the identity provider did not answer in time',
  too_large: 'the identity provider answered with more than is read',
  no_discovery: 'there is no discovery document at the issuer: /.well-known/openid-configuration below it',
  no_pkce_endpoint: 'the discovery document names no address for sign-ins, tokens or keys',
  insecure: 'an address in the discovery document does not begin with https://',
  issuer: 'the issuer in the answer is not the one that is configured here: compare it letter by letter, also its end',
  audience: 'the ID token is meant for another client: compare the client id',
  nonce: 'the ID token belongs to another sign-in',
  expired: 'the ID token has expired: compare the clocks',
  not_yet_valid: 'the ID token is not valid yet: compare the clocks',
  algorithm: 'the ID token is not signed by an asymmetric algorithm that the discovery document lists',
  signature: 'the signature of the ID token was not made with a key that the identity provider publishes now',
  subject: 'the UserInfo answer is about somebody else',
  client: 'the identity provider refuses the client: its id, its secret, or its redirect URI is not right',
  code: 'the identity provider refuses the authorization code: it was used before, or has expired',
  refused_there: 'the identity provider refuses this sign-in',
  answer: 'the identity provider answered in a form that OpenID Connect does not allow',
} as const
export type OidcFault = keyof typeof oidcFaults

/** Faults that say nothing about the answer: the provider could not be asked. */
const unavailable: ReadonlySet<OidcFault> = new Set(['blocked', 'unreachable', 'slow', 'too_large'])

export class OidcError extends Error {
  override readonly name = 'OidcError'
  readonly fault: OidcFault
  constructor(fault: OidcFault, options?: ErrorOptions) {
    super(oidcFaults[fault], options)
    this.fault = fault
  }
  get isUnavailable(): boolean {
    return unavailable.has(this.fault)
  }
}

interface Facts {
  readonly text: string
  readonly names: readonly string[]
  readonly claim: string | undefined
  readonly root: unknown
}

/** What an error and its causes say. */
const factsOf = (error: unknown): Facts => {
  const texts: string[] = []
  const names: string[] = []
  let claim: string | undefined
  let root: unknown = error
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 6; depth += 1) {
    const one = at as {
      message?: unknown
      code?: unknown
      error?: unknown
      claim?: unknown
      cause?: unknown
      name?: unknown
    }
    for (const word of [one.message]) if (typeof word === 'string') texts.push(word)
    for (const word of [one.code, one.error, one.name]) if (typeof word === 'string') names.push(word)
    if (typeof one.claim === 'string') claim = one.claim
    root = at
    at = one.cause
  }
  return { text: texts.join('\n'), names, claim, root }
}

const ofClaim: Readonly<Record<string, OidcFault>> = {
  iss: 'issuer',
  aud: 'audience',
  azp: 'audience',
  nonce: 'nonce',
  exp: 'expired',
  nbf: 'not_yet_valid',
}
const ofCode: Readonly<Record<string, OidcFault>> = {
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_grant: 'code',
  access_denied: 'refused_there',
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: 'client',
  OAUTH_AUTHORIZATION_RESPONSE_ERROR: 'refused_there',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'insecure',
  OAUTH_TIMEOUT: 'slow',
  TimeoutError: 'slow',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'subject',
}
const ofText: readonly (readonly [RegExp, OidcFault])[] = [
  [/"alg"|unsupported JWS|unsupported.*algorithm/i, 'algorithm'],
  [/signature|verification key|applicable keys/i, 'signature'],
  [/"iss"|issuer/i, 'issuer'],
  [/nonce/i, 'nonce'],
  [/audience|"aud"/i, 'audience'],
]
const aboutNetwork =
  /^(ECONN|ENOTFOUND|EHOST|ENET|EPIPE|ETIMEDOUT|EAI_|ESERVFAIL|ENODATA|EREFUSED|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|UND_ERR)/

/** The kind of an error of the library or of the network, by the names above. */
export const oidcErrorOf = (error: unknown): OidcError => {
  if (error instanceof OidcError) return error
  const { text, names, claim, root } = factsOf(error)
  const made = (fault: OidcFault) => new OidcError(fault, { cause: error })
  if (root instanceof OidcError) return root
  if (error instanceof BlockedTarget || root instanceof BlockedTarget) return made('blocked')
  const byClaim = claim === undefined ? undefined : ofClaim[claim]
  if (byClaim) return made(byClaim)
  for (const name of names) {
    if (aboutNetwork.test(name)) return made('unreachable')
    const fault = ofCode[name]
    if (fault) return made(fault)
  }
  return made(ofText.find(([pattern]) => pattern.test(text))?.[1] ?? 'answer')
}
