import type { Configuration, ServerMetadata } from 'openid-client'
import { Cache } from '../cache.ts'
import type { HttpOut } from '../http-out/http-out.ts'
import { OidcError, oidcErrorOf } from './oidc-error.ts'
import { oidcFetch } from './oidc-fetch.ts'

/** A client at an identity provider. */
export interface OidcClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
}
export interface OidcBegun {
  readonly state: string
  readonly nonce: string
  /** RFC 7636; it never leaves this service before the code is exchanged. */
  readonly verifier: string
}
/** Claims of the ID token, and of the UserInfo answer where the token lacks them. */
export type OidcClaims = Readonly<Record<string, unknown>> & { readonly sub: string }
export interface OidcCheck {
  readonly name: string
  readonly ok: boolean
  readonly message?: string
}

export interface Oidc {
  /** Where a browser begins. Rejects with an `OidcError`, as the others do. */
  beginAt(client: OidcClient, begun: OidcBegun): Promise<string>
  /** Exchanges the code of an answer, given as the query that came back, and checks everything about it. */
  take(client: OidcClient, begun: OidcBegun, query: Readonly<Record<string, string>>): Promise<OidcClaims>
  /** Tries discovery and keys, step by step; never rejects for what the provider does. */
  probe(client: OidcClient): Promise<OidcCheck[]>
}

export interface OidcOptions {
  readonly httpOut: Pick<HttpOut, 'request'>
  /** Development only: http is allowed as well. */
  readonly allowPrivate: boolean
  readonly now: () => number
}

/** One deadline for all requests of a sign-in or a probe. */
const deadlineMs = 10_000
const discoveredMs = 5 * 60_000
const toleranceSeconds = 60
/** A shared secret never signs: who knows it could be anybody. */
const signatures = /^(RS|PS|ES)(256|384|512)$|^(EdDSA|Ed25519)$/

/** The library, loaded with the first sign-in. */
const load = () => import('openid-client')

const algorithmsOf = ({ id_token_signing_alg_values_supported: listed }: ServerMetadata): string[] => {
  const given: readonly unknown[] = Array.isArray(listed) ? listed : ['RS256']
  return given.filter((one): one is string => typeof one === 'string' && signatures.test(one))
}

const authenticationOf = (library: Awaited<ReturnType<typeof load>>, metadata: ServerMetadata, secret: string) => {
  const listed = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return listed.includes('client_secret_basic') ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret)
}

const checkMetadata = (metadata: ServerMetadata, issuer: string, allowPrivate: boolean): void => {
  // To the letter (OpenID Connect Discovery, 4.3): the library makes exceptions for some providers.
  if (metadata.issuer !== issuer) throw new OidcError('issuer')
  const { authorization_endpoint, token_endpoint, jwks_uri } = metadata
  for (const address of [authorization_endpoint, token_endpoint, jwks_uri]) {
    if (typeof address !== 'string' || !URL.canParse(address)) throw new OidcError('no_pkce_endpoint')
    const { protocol } = new URL(address)
    if (protocol !== 'https:' && !(protocol === 'http:' && allowPrivate)) throw new OidcError('insecure')
  }
}

const named = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    throw oidcErrorOf(error)
  }
}

const discoverAt = async (
  issuer: string,
  fetch: ReturnType<typeof oidcFetch>,
  allowPrivate: boolean,
): Promise<ServerMetadata> => {
  const library = await load()
  const execute = allowPrivate ? [library.allowInsecureRequests] : []
  try {
    const found = await library.discovery(new URL(issuer), 'discovery', undefined, library.None(), {
      execute,
      timeout: 5,
      [library.customFetch]: fetch,
    })
    const metadata = { ...found.serverMetadata() }
    checkMetadata(metadata, issuer, allowPrivate)
    return metadata
  } catch (error) {
    const fault = oidcErrorOf(error)
    // What is answered there is not a discovery document at all, or is one of somebody else.
    if (fault.fault === 'subject') throw new OidcError('issuer', { cause: error })
    throw fault.fault === 'answer' ? new OidcError('no_discovery', { cause: error }) : fault
  }
}

/** Exchanges the code, and gathers what is said of the person. */
const exchangeCode = async (
  config: Configuration,
  { redirectUri }: OidcClient,
  { state, nonce, verifier }: OidcBegun,
  query: Readonly<Record<string, string>>,
): Promise<OidcClaims> => {
  const library = await load()
  const at = new URL(`${redirectUri}?${new URLSearchParams(query).toString()}`)
  const tokens = await library.authorizationCodeGrant(config, at, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new OidcError('answer')
  if (config.serverMetadata().userinfo_endpoint === undefined) return claims
  const said = await library.fetchUserInfo(config, tokens.access_token, claims.sub)
  return { ...said, ...claims }
}

/** OpenID Connect by `openid-client`: discovery, authorization code with PKCE, ID token with its signature, UserInfo. */
export const createOidc = ({ httpOut, allowPrivate, now }: OidcOptions): Oidc => {
  const known = new Cache<ServerMetadata>({ limit: 200, age: { ms: discoveredMs, now } })

  const discover = (issuer: string, fetch: ReturnType<typeof oidcFetch>) => discoverAt(issuer, fetch, allowPrivate)

  const open = async (client: OidcClient): Promise<Configuration> => {
    const library = await load()
    const fetch = oidcFetch(httpOut, AbortSignal.timeout(deadlineMs))
    const metadata = known.get(client.issuer) ?? (await discover(client.issuer, fetch))
    known.set(client.issuer, metadata)
    const config = new library.Configuration(
      { ...metadata, id_token_signing_alg_values_supported: algorithmsOf(metadata) },
      client.clientId,
      {
        client_secret: client.clientSecret,
        [library.clockSkew]: Math.round((now() - Date.now()) / 1000),
        [library.clockTolerance]: toleranceSeconds,
      },
      authenticationOf(library, metadata, client.clientSecret),
    )
    config[library.customFetch] = fetch
    config.timeout = 5
    if (allowPrivate) library.allowInsecureRequests(config)
    // By itself the library trusts TLS instead of the signature (OpenID Connect Core, 3.1.3.7.6).
    library.enableNonRepudiationChecks(config)
    return config
  }

  const beginAt = async (client: OidcClient, { state, nonce, verifier }: OidcBegun): Promise<string> => {
    const library = await load()
    return library.buildAuthorizationUrl(await open(client), {
      redirect_uri: client.redirectUri,
      scope: client.scopes.join(' '),
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href
  }

  const take: Oidc['take'] = async (client, begun, query) => exchangeCode(await open(client), client, begun, query)

  const probe = async ({ issuer }: OidcClient): Promise<OidcCheck[]> => {
    const fetch = oidcFetch(httpOut, AbortSignal.timeout(deadlineMs))
    try {
      known.delete(issuer)
      const { jwks_uri = '' } = await discover(issuer, fetch)
      return [{ name: 'discovery', ok: true }, await probeKeys(fetch, jwks_uri)]
    } catch (error) {
      return [{ name: 'discovery', ok: false, message: oidcErrorOf(error).message }]
    }
  }

  return {
    beginAt: (client, begun) => named(beginAt(client, begun)),
    take: (client, begun, query) => named(take(client, begun, query)),
    probe,
  }
}

const probeKeys = async (guarded: ReturnType<typeof oidcFetch>, address: string): Promise<OidcCheck> => {
  const name = 'keys'
  try {
    const response = await guarded(address, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' })
    const { keys } = (await response.json()) as { keys?: unknown }
    if (Array.isArray(keys) && keys.length > 0) return { name, ok: true }
    return { name, ok: false, message: 'no key is published at the address that the discovery document names' }
  } catch (error) {
    return { name, ok: false, message: oidcErrorOf(error).message }
  }
}
